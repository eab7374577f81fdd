"""ClickHouse's HTTP interface, as far as `export clickhouse` and `search --engine` use it, over chDB in this process.

chdb_server.py FOLDER HOST PORT: keeps its data in FOLDER. Runs until it is killed; says `ready VERSION` when it listens. One process has one
ClickHouse, so several servers are several processes.
"""

import os
import re
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from chdb import session

FOLDER, HOST, PORT = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
USER = os.environ["CLICKHOUSE_USER"], os.environ["CLICKHOUSE_PASSWORD"]
# A server's answer is of this format where a statement names none.
FORMAT = "TabSeparated"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):  # noqa: N802
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parameters = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        user = self.headers.get("X-ClickHouse-User"), self.headers.get("X-ClickHouse-Key")
        if user != USER:
            return self.answer(403, b"Code: 516. DB::Exception: Authentication failed")
        try:
            self.answer(200, run(parameters, body))
        except RuntimeError as error:
            self.answer(500, str(error).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def run(parameters, body):
    """The answer to a request: its statement is the body, or the body is the rows that it inserts."""
    known = {"wait_end_of_query", "query", "max_query_size"}
    unknown = parameters.keys() - known
    assert not unknown, unknown
    size = parameters.get("max_query_size", "262144")
    chdb.query(f"SET max_query_size = {size}")
    statement = parameters.get("query")
    if statement is None:
        assert len(body) < int(size), "the statement is longer than max_query_size"
        return chdb.query(body.decode(), FORMAT).bytes()
    into = re.fullmatch(r"(INSERT INTO \S+) FORMAT (\w+)", statement)
    assert into, statement
    with tempfile.NamedTemporaryFile(dir=FOLDER, suffix=".rows") as rows:
        rows.write(body)
        rows.flush()
        return chdb.query(f"{into[1]} FROM INFILE '{rows.name}' FORMAT {into[2]}", FORMAT).bytes()


FOLDER.mkdir(parents=True, exist_ok=True)
chdb = session.Session(str(FOLDER / "data"))
version = chdb.query("SELECT version()", FORMAT).bytes().decode().strip()
server = HTTPServer((HOST, PORT), Handler)
print("ready", version, flush=True)
server.serve_forever()
