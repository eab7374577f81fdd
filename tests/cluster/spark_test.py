"""Spark's master and two workers on loopback: encoding while an executor is killed, and Wikipedia's joins.

SMOOTH_CLIR: the command. See pkg-scripts/test-cluster."""

import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import pyspark
import pyspark.sql

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SMOOTH_CLIR"]
SPARK = pathlib.Path(pyspark.__file__).parent
DOCUMENTS, PARTITIONS = 20_000, 12
MASTER_PORT, DIMENSION = 17_077, 64
folder = pathlib.Path(tempfile.mkdtemp(prefix="smooth-clir-spark-"))
environment = os.environ | {
    "SPARK_HOME": str(SPARK), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_DIRS": str(folder / "local"),
}
master = f"spark://127.0.0.1:{MASTER_PORT}"


def start(name, *arguments):
    log = (folder / f"{name}.log").open("w")
    command = [SPARK / "bin" / "spark-class", *arguments]
    return subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)


def submit(*arguments):
    command = [SPARK / "bin" / "spark-submit", "--master", master, "--conf", "spark.driver.host=127.0.0.1",
               "--conf", "spark.ui.enabled=false", "--executor-memory", "512m", *arguments]
    return subprocess.Popen([str(part) for part in command], env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def finished(job, status=0):
    said, _ = job.communicate(timeout=300)
    assert (job.returncode == 0) == (status == 0), said[-6000:]
    return said


def executors(worker):
    """The executors that a worker runs, by their application."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rsplit(")", 1)[1].split()[1])
            command = (place / "cmdline").read_bytes().decode().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == worker.pid and "--app-id" in command:
            found.append((command[command.index("--app-id") + 1], int(place.name)))
    return sorted(found)


def until(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"{what}: not within {seconds} s; logs are in {folder}"
        time.sleep(0.05)
    return value


def write(name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, **options).stdout


def make_model_and_documents():
    words, data = random.Random(7), {"queries": "", "documents": "", "relevance": ""}
    for text in range(100):
        numbers = [(8 * text + i) % 400 for i in range(8)]
        data["queries"] += f"q{text}\tTitle\t{' '.join(f'w{n}' for n in numbers)}\n"
        data["documents"] += f"d{text}\tTitre\t{' '.join(f'm{n}' for n in numbers)}\n"
        data["relevance"] += f"q{text}\td{text}\t2\n"
    for name, text in data.items():
        write(f"data/{name}.tsv", text)
    model = folder / "model.safetensors"
    run("train", folder / "data", "--language", "xx", "--dimension", DIMENSION, "--epochs", 1, "--negatives", 5,
        "--out", model)
    # Words that the model does not know, and letters outside ASCII.
    texts = [" ".join(f"m{words.randrange(420)}" for _ in range(1 + words.randrange(30))) + " été 山" for _ in range(DOCUMENTS)]
    documents = write("documents.tsv", "".join(f"é{number}\t{text}\n" for number, text in enumerate(texts)))
    return model, documents


def read_parquet(path):
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    spark = pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    rows = [(row.id, row.vector) for row in spark.read.parquet(str(path)).collect()]
    spark.stop()
    return rows


def encodes_while_an_executor_is_killed(workers):
    model, documents = make_model_and_documents()
    out = folder / "vectors"
    job = submit(ROOT / "examples/spark/encode.py", model, documents, out, "--language", "xx",
                 "--partitions", PARTITIONS, "--program", PROGRAM)
    until(lambda: list(out.glob("_temporary/0/task_*")) or job.poll() is not None, "a partition that is done")
    assert job.poll() is None, finished(job)
    # Of the newest application: those of the one before may be about to end.
    [*_, (_, victim)] = executors(workers[0])
    os.kill(victim, signal.SIGKILL)
    said = finished(job)
    assert "Lost executor" in said, said[-6000:]
    rows = read_parquet(out)
    found = dict(rows)
    direct = run("encode", model, "--stdin", "--language", "xx", "--as", "f32", input=documents.read_bytes())
    lines = [line.split("\t") for line in direct.decode().splitlines()]
    assert len(rows) == len(lines) == len(found) == DOCUMENTS
    for id, numbers in lines:
        assert struct.pack(f"<{DIMENSION}f", *found[id]).hex() == numbers, id
    # Digits too are those bits.
    digits = run("encode", model, "--stdin", "--language", "xx", input=documents.read_bytes())
    for line, (id, numbers) in zip(digits.decode().splitlines(), lines, strict=True):
        line = json.loads(line)
        assert (line["id"], struct.pack(f"<{DIMENSION}f", *line["vector"]).hex()) == (id, numbers)

    bad = write("bad.tsv", "a\tm1 m2\nno tab\n")
    job = submit(ROOT / "examples/spark/encode.py", model, bad, folder / "bad", "--language", "xx",
                 "--partitions", 1, "--program", PROGRAM)
    finished(job, status=1)
    assert not (folder / "bad" / "_SUCCESS").exists()


def joins_a_small_wikipedia():
    page = "page_id\tpage_namespace\tpage_title\tpage_is_redirect\n"
    # English: 1 Rain, 2 Snow, 3 a redirect, 4 a talk page.
    write("wiki/en/page.tsv", page + "1\t0\tRain\t0\n2\t0\tSnow\t0\n3\t0\tRainfall\t1\n4\t1\tRain\t0\n5\t0\tThe_\"Sea\"\t0\n")
    write("wiki/en/langlinks.tsv", "ll_from\tll_lang\tll_title\n1\tfr\tLa pluie\n1\tit\tPioggia\n2\tfr\tNeige\n"
          "3\tfr\tNeige\n4\tfr\tNeige\n5\tfr\tLa \"mer\"\n2\tfr\tNo such page\n")
    # French: 10 La_pluie, 11 Neige, 12 Nuage, 13 Vent, 14 a redirect, 15 La_"mer".
    write("wiki/fr/page.tsv", page + "10\t0\tLa_pluie\t0\n11\t0\tNeige\t0\n12\t0\tNuage\t0\n13\t0\tVent\t0\n"
          "14\t0\tPluie\t1\n15\t0\tLa_\"mer\"\t0\n")
    write("wiki/fr/linktarget.tsv", "lt_id\tlt_namespace\tlt_title\n100\t0\tLa_pluie\n101\t0\tNeige\n102\t0\tNuage\n"
          "103\t0\tVent\n104\t0\tPluie\n105\t0\tLa_\"mer\"\n106\t1\tNuage\n")
    links = [
        (10, 102), (12, 100),  # rain and cloud: mutual
        (10, 101), (11, 100),  # rain and snow: mutual
        (10, 103),             # wind: there only
        (13, 101),             # wind to snow: back only
        (12, 104), (14, 102),  # through a redirect: not followed
        (10, 100),             # itself
        (11, 106), (15, 102),  # another namespace; the sea to cloud: there only
        (10, 102),             # twice
    ]
    write("wiki/fr/pagelinks.tsv", "pl_from\tpl_target_id\n" + "".join(f"{a}\t{b}\n" for a, b in links))
    finished(submit(ROOT / "examples/spark/relevance.py", folder / "wiki", folder / "graded", "--language", "fr"))
    lines = [line for part in (folder / "graded").glob("part-*") for line in part.read_text().splitlines()]
    assert sorted(lines) == ["1\t10\t2", "1\t11\t1", "1\t12\t1", "2\t10\t1", "2\t11\t2", "5\t15\t2"], sorted(lines)


processes = []
# Ended from outside, it ends what it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
try:
    processes.append(start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port",
                           str(MASTER_PORT), "--webui-port", "0"))
    for number in (1, 2):
        processes.append(start(f"worker{number}", "org.apache.spark.deploy.worker.Worker", master, "--host", "127.0.0.1",
                               "--webui-port", "0", "--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work{number}")))
    until(lambda: (folder / "master.log").read_text().count("Registering worker") == 2, "two workers")
    joins_a_small_wikipedia()
    print("ok: joins of a small Wikipedia")
    encodes_while_an_executor_is_killed(processes[1:])
    print(f"ok: {DOCUMENTS} documents in {PARTITIONS} partitions, an executor killed, the bits of direct encoding")
finally:
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait()
shutil.rmtree(folder)
