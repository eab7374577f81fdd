"""tantivy's BM25 of the first passages: python tantivy_peer.py PASSAGES COUNT

Says `ready`; then answers each line, a query in English and in French, with the milliseconds of the first ten documents of the
French one as a JSON object. Documents have any of its words, less the French suffixes.
"""
import itertools
import json
import re
import sys
import time

import tantivy


def main(passages, count):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="french", index_option="freq")
    index = tantivy.Index(builder.build())
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    words = words.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.stemmer("French"))
    index.register_tokenizer("french", words.build())
    writer = index.writer(heap_size=1 << 30, num_threads=1)
    with open(passages, encoding="utf-8") as lines:
        for line in itertools.islice(lines, count):
            writer.add_document(tantivy.Document(text=line.rstrip("\n").split("\t")[2]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    assert searcher.num_docs == count
    print("ready", flush=True)
    for line in sys.stdin:
        # Nothing that the syntax of queries gives a meaning.
        text = re.sub(r"[^\w\s]", " ", line.rstrip("\n").split("\t")[1]).lower()
        begun = time.perf_counter()
        query, _ = index.parse_query_lenient(text, ["text"])
        searcher.search(query, 10, count=False)
        print(json.dumps({"tantivy, BM25": (time.perf_counter() - begun) * 1000}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
