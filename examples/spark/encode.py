"""Encodes documents on a Spark cluster: each partition is piped through a program of its own.

    spark-submit encode.py MODEL DOCUMENTS OUT [--language fr] [--partitions 64] [--program smooth-clir]

DOCUMENTS has lines of id, tab, text. OUT gets Parquet with `id` and `vector`, the bits of `smooth-clir index`.
MODEL and the program have to be at the same path on every worker (or shared by them).
"""

import argparse
import shlex
import struct

from pyspark.sql import Row, SparkSession
from pyspark.sql.types import ArrayType, FloatType, StringType, StructField, StructType

parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("documents")
parser.add_argument("out")
parser.add_argument("--language")
parser.add_argument("--partitions", type=int, default=64)
parser.add_argument("--program", default="smooth-clir")
arguments = parser.parse_args()

command = [arguments.program, "encode", arguments.model, "--stdin", "--as", "f32"]
if arguments.language:
    command += ["--language", arguments.language]


def row(line):
    id, numbers = line.split("\t")
    numbers = bytes.fromhex(numbers)
    return Row(id=id, vector=list(struct.unpack(f"<{len(numbers) // 4}f", numbers)))


spark = SparkSession.builder.appName("smooth-clir encode").getOrCreate()
lines = spark.sparkContext.textFile(arguments.documents, arguments.partitions)
# checkCode: a line that is refused ends the job with an error, not with fewer vectors.
vectors = lines.pipe(shlex.join(command), checkCode=True).map(row)
columns = [StructField("id", StringType(), False), StructField("vector", ArrayType(FloatType(), False), False)]
spark.createDataFrame(vectors, StructType(columns)).write.parquet(arguments.out)
spark.stop()
