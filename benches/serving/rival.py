"""The rival: the same model and documents, ranked by NumPy behind Starlette. For averages without weights or n-grams.

uvicorn rival:app, with MODEL and INDEX in the environment.
"""
import json
import os

import numpy as np
from safetensors import safe_open
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


def read(path):
    with safe_open(path, "np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, json.loads(file.metadata()["config"])


(model, config), (index, _) = read(os.environ["MODEL"]), read(os.environ["INDEX"])
known = {word: row for row, word in enumerate(bytes(model["query.vocabulary"]).decode().split("\n"))}
rows, epsilon = model["query.embedding"], np.float32(config["epsilon"])
vectors, norms = index["vectors"], index["norms"]
below = norms + epsilon


def texts(name):
    joined, offsets = bytes(index[name]), index[f"{name}.offsets"]
    return [joined[start:end].decode() for start, end in zip(offsets, offsets[1:])]


ids, titles, contents = texts("ids"), texts("titles"), texts("texts")


async def search(request):
    words = request.query_params["q"].lower().split()
    limit = int(request.query_params.get("k", 10))
    of_words = [known[word] for word in words if word in known]
    query = np.tanh(rows[of_words].mean(axis=0))
    norm = np.sqrt(query @ query)
    dots = vectors @ query
    scores = dots / (below * (norm + epsilon))
    best = np.argpartition(-scores, limit)[:limit]
    best = best[np.argsort(-scores[best], kind="stable")]
    hits = [
        {
            "id": ids[at], "title": titles[at], "text": contents[at],
            "score": float(scores[at]), "dot": float(dots[at]), "documentNorm": float(norms[at]),
        }
        for at in best
    ]
    return JSONResponse({"hits": hits, "tokens": [{"token": word, "known": word in known} for word in words]})


app = Starlette(routes=[Route("/search", search)])
