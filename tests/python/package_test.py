"""The installed package smooth_clir against what the core wrote, tests/golden, and against trec_eval, tests/reference."""
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import smooth_clir
from smooth_clir import Index, Model, SmoothClirError, evaluate

TESTS = Path(__file__).resolve().parent.parent
GOLDEN = TESTS / "golden"
# The prefix of the files of each network.
KINDS = ["", "cnn-", "lstm-", "linear-", "sparse-code-"]


def golden(name):
    return [line.split("\t") for line in (GOLDEN / name).read_text().splitlines()]


def bits(values):
    return np.asarray(values, np.float32).view(np.uint32)


def from_hex(words):
    return np.array([int(word, 16) for word in words], np.uint32)


class SameBits(unittest.TestCase):
    def test_query_vectors_are_the_golden_bits(self):
        for kind in KINDS:
            model = Model.load(GOLDEN / f"{kind}model.safetensors")
            lines = golden(f"{kind}vectors.tsv")
            vectors = model.encode([query for query, *_ in lines])
            self.assertEqual((vectors.dtype, vectors.shape), (np.float32, (8, 37)))
            for vector, (query, *expected) in zip(vectors, lines):
                np.testing.assert_array_equal(bits(vector), from_hex(expected), f"{kind}{query}")

    def test_scores_and_rankings_are_the_golden_ones(self):
        ranked = 0
        for kind in KINDS:
            index = Index.load(GOLDEN / f"{kind}index.safetensors", Model.load(GOLDEN / f"{kind}model.safetensors"))
            lines = golden(f"{kind}scores.tsv")
            many = {}
            for epsilon in {float(epsilon) for _, epsilon, *_ in lines}:
                queries = [query for query, other, *_ in lines if float(other) == epsilon]
                found = index.search_many(queries, limit=1000, epsilon=epsilon)
                many.update({(query, epsilon): hits for query, hits in zip(queries, found)})
            for query, epsilon, *expected in lines:
                ids, scores = [one.split(" ")[0] for one in expected], [one.split(" ")[1] for one in expected]
                for hits in [index.search(query, 1000, epsilon=float(epsilon)), many[query, float(epsilon)]]:
                    self.assertEqual([hit.id for hit in hits], ids, (kind, query, epsilon))
                    np.testing.assert_array_equal(bits([hit.score for hit in hits]), from_hex(scores))
                    ranked += len(hits)
        self.assertGreater(ranked, 5000)

    def test_documents_encoded_here_are_those_of_the_golden_index(self):
        for kind in KINDS:
            model = Model.load(GOLDEN / f"{kind}model.safetensors")
            index = Index.load(GOLDEN / f"{kind}index.safetensors", model)
            self.assertEqual((len(index), index.vectors.shape, len(index.ids)), (43, (43, 37), 43))
            hits = index.search("rain", limit=1000)
            self.assertEqual({hit.language for hit in hits}, {"fr", "th"})
            for hit in hits:
                [vector] = model.encode([hit.text], language=hit.language)
                np.testing.assert_array_equal(bits(vector), bits(index.vectors[index.ids.index(hit.id)]))


class Package(unittest.TestCase):
    def setUp(self):
        self.model = Model.load(GOLDEN / "model.safetensors")
        self.index = Index.load(GOLDEN / "index.safetensors", self.model)

    def refusal(self, call, kind=SmoothClirError):
        with self.assertRaises(kind) as caught:
            call()
        return caught.exception.code, str(caught.exception)

    def test_a_model_says_what_it_is(self):
        self.assertEqual((self.model.languages, self.model.dimension, self.model.epsilon), (["fr", "th"], 37, 0.5))
        self.assertEqual(repr(self.model), "<smooth_clir.Model: en -> fr, th; 37 dimensions>")
        self.assertEqual(repr(self.index), "<smooth_clir.Index: 43 documents in fr, th>")
        self.assertEqual(self.index.languages, ["fr", "th"])
        self.assertRegex(smooth_clir.__version__, r"^\d+\.\d+\.\d+$")

    def test_no_texts_are_an_empty_array_and_an_unknown_text_is_zeros(self):
        self.assertEqual(self.model.encode([]).shape, (0, 37))
        np.testing.assert_array_equal(self.model.encode(["", "zzz"]), np.zeros((2, 37), np.float32))

    def test_a_search_of_one_language_has_only_its_documents(self):
        hits = self.index.search("rain", language="th")
        self.assertEqual({hit.id for hit in hits}, {"t0", "t1", "t2"})
        self.assertEqual((hits[0].title, hits[0].section, hits[0].lexical, hits[0].fields), ("ชื่อ", "", None, {}))
        self.assertEqual(len(self.index.search("rain")), 10)
        self.assertEqual(self.index.search_many([]), [])

    def test_an_index_in_a_folder_is_found_with_its_texts(self):
        whole = self.index.search("rain", limit=5)
        for path in [GOLDEN / "parts", GOLDEN / "parts" / "index.safetensors", [str(GOLDEN / "parts")]]:
            hits = Index.load(path, self.model).search("rain", limit=5)
            self.assertEqual([(hit.id, hit.text) for hit in hits], [(hit.id, hit.text) for hit in whole])

    def test_segments_are_searched_in_their_order(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            for name in ["segment.1", "segment.3"]:
                (folder / name).mkdir()
                for file in (GOLDEN / "parts").iterdir():
                    (folder / name / file.name).write_bytes(file.read_bytes())
            (folder / "segments.json").write_text('{"segments": [{"name": "segment.3"}, {"name": "segment.1"}]}')
            self.assertEqual(len(Index.load(folder, self.model)), 86)
            (folder / "segments.json").write_text('{"segments": [{"name": "../segment.1"}]}')
            code, message = self.refusal(lambda: Index.load(folder, self.model))
            self.assertEqual(code, "metadata")
            self.assertIn("one such as segment.1", message)

    def test_a_refusal_is_an_exception_with_the_code_of_the_core(self):
        self.assertTrue(issubclass(SmoothClirError, ValueError))
        self.assertEqual(
            self.refusal(lambda: self.index.search("rain", language="xx")),
            ("unknown-language", "no documents in `xx` are loaded; loaded: fr, th"),
        )
        self.assertEqual(
            self.refusal(lambda: self.index.search_many(["a", "b"], epsilon=-1.0)),
            ("epsilon", "`epsilon` must be a finite number of 0 or more, got -1"),
        )
        self.assertEqual(self.refusal(lambda: self.model.encode(["a"], language="xx"))[0], "missing-encoder")
        self.assertEqual(self.refusal(lambda: self.index.search("rain", filters={"year": ["1"]}))[0], "unknown-field")
        self.assertEqual(self.refusal(lambda: Model.load([]))[0], "no-files")
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "model.safetensors"
            whole = (GOLDEN / "model.safetensors").read_bytes()
            broken.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
            code, message = self.refusal(lambda: Model.load(broken))
            self.assertEqual((code, message[: len(str(broken))]), ("digest", str(broken)))
            self.assertEqual(self.refusal(lambda: Model.load(folder))[0], "no-files")
            code, message = self.refusal(lambda: Model.load(Path(folder) / "nowhere"), FileNotFoundError)
            self.assertEqual(code, "cannot-read")
            self.assertIn("nowhere: cannot be read", message)

    def test_one_text_where_a_list_is_expected_is_refused_not_read_as_its_letters(self):
        for call in [lambda: self.model.encode("rain"), lambda: self.index.search_many("rain")]:
            self.assertRaises(TypeError, call)

    def test_other_threads_go_on_during_work(self):
        # Without the interpreter's lock, the main thread counts while another one encodes.
        texts = ["rain over the mountains and the old boat on the lake " * 20] * 40_000
        done = threading.Event()

        def work():
            self.model.encode(texts)
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        turns = 0
        while not done.is_set():
            time.sleep(0.001)
            turns += 1
        thread.join()
        self.assertGreater(turns, 5)


class Evaluation(unittest.TestCase):
    def test_values_are_those_of_trec_eval_by_its_names(self):
        head, *lines = [line.split("\t") for line in (TESTS / "reference" / "named_metrics.tsv").read_text().splitlines()]
        names = head[2:]
        run, qrels, expected = {}, {}, {}
        for number, (ranked, missed, *values) in enumerate(lines):
            query = f"q{number}"
            run[query] = {f"d{place}": float(len(ranked) - place) for place in range(len(ranked))}
            qrels[query] = {f"d{place}": int(grade) for place, grade in enumerate(ranked + missed)}
            expected[query] = dict(zip(names, map(float, values)))
        result = evaluate(run, qrels, names, per_query=True)
        self.assertEqual((result["queries"], len(names)), (300, 28))
        for query, values in expected.items():
            for name, value in values.items():
                self.assertAlmostEqual(result["per_query"][query][name], value, delta=1e-9, msg=f"{query} {name}")
        for name in names:
            mean = sum(values[name] for values in expected.values()) / 300
            self.assertAlmostEqual(result["metrics"][name], mean, delta=1e-9)
        self.assertNotIn("per_query", evaluate(run, qrels, ["map"]))

    def test_ties_and_negative_grades_are_as_trec_eval_has_them(self):
        # Equal in 32 bits: the last id is first. A negative grade is no judgement.
        result = evaluate({"q": {"a": 1.000000001, "b": 1.0}}, {"q": {"a": 1, "b": -1}}, ["recip_rank", "P_1"])
        self.assertEqual(result, {"queries": 1, "metrics": {"recip_rank": 0.5, "P_1": 0.0}})

    def test_without_names_the_metrics_are_the_first_papers(self):
        result = evaluate({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 2}, "r": {"a": 1}, "s": {"a": 2}})
        self.assertEqual(result["queries"], 2)
        self.assertEqual(result["metrics"]["MRR_mr"], 0.25)
        self.assertEqual(list(result["metrics"]), ["P_mr@1", "P_mr@5", "P_r@5", "NDCG@5", "MAP", "MRR_mr", "MRR_r"])

    def test_wrong_input_is_told(self):
        run, qrels = {"q": {"a": 1.0}}, {"q": {"a": 1}}
        for call, code, message in [
            (lambda: evaluate(run, qrels, ["ncdg@10"]), "unknown-metric", "did you mean `ndcg@10`?"),
            (lambda: evaluate(run, qrels, ["success"]), "metric-form", "needs a cut-off, as in `success@10`"),
            (lambda: evaluate({}, qrels, ["map"]), "invalid-argument", "`run` has no queries"),
            (lambda: evaluate(run, {}, ["map"]), "invalid-argument", "`qrels` has no queries"),
            (lambda: evaluate(run, {"r": {"a": 1}}, ["map"]), "invalid-argument", "none of the queries of `run`"),
            (lambda: evaluate(run, qrels), "invalid-argument", "no query of `qrels` has a document of grade 2"),
            (lambda: evaluate({"q": {"a": float("nan")}}, qrels, ["map"]), "invalid-argument", "not a finite number"),
            (lambda: evaluate(run, {"q": {"a": 256}}, ["map"]), "invalid-argument", "is over 255"),
        ]:
            with self.assertRaises(SmoothClirError) as caught:
                call()
            self.assertEqual(caught.exception.code, code)
            self.assertIn(message, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
