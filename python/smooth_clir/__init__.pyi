from os import PathLike
from typing import Optional, Sequence, TypedDict, Union, final

import numpy as np
import numpy.typing as npt

_Path = Union[str, PathLike[str]]

__version__: str

class SmoothClirError(ValueError):
    """Input that is refused."""

    code: str
    """The kind of refusal, such as `digest`, `mismatch`, `unknown-language` or `unknown-metric`."""

@final
class Model:
    """A trained model: a query encoder, and a document encoder for each language."""

    @staticmethod
    def load(path: Union[_Path, Sequence[_Path]]) -> Model:
        """Reads a model: its file, its files, or a folder of them."""
    @property
    def languages(self) -> list[str]:
        """The languages of documents that it encodes."""
    @property
    def dimension(self) -> int:
        """The length of the vectors."""
    @property
    def epsilon(self) -> float:
        """Epsilon of smooth cosine similarity."""
    def encode(self, texts: Sequence[str], language: str = "en") -> npt.NDArray[np.float32]:
        """The vectors of texts, a row for each: by the query encoder if `language` is "en", else by the document encoder
        of that language. A text without a known word has zeros."""

@final
class Hit:
    """A document found."""

    @property
    def id(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def section(self) -> str:
        """The heading that its text stands under; empty where there is none."""
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float:
        """The score that it was ranked by."""
    @property
    def probability(self) -> Optional[float]:
        """The probability that it answers the query; `None` where the model was not fitted for it."""
    @property
    def fits(self) -> bool:
        """Whether the probability is 0.12 or more, or not known."""
    @property
    def similarity(self) -> float:
        """Smooth cosine similarity, the dense score."""
    @property
    def lexical(self) -> Optional[float]:
        """The lexical score; `None` where the model has no translations of its language."""
    @property
    def dot(self) -> float:
        """The dot product with the query."""
    @property
    def document_norm(self) -> float:
        """The norm of its vector."""
    @property
    def fields(self) -> dict[str, list[str]]:
        """The values of its fields."""

@final
class Index:
    """Indexes that a model made, with the model."""

    @staticmethod
    def load(path: Union[_Path, Sequence[_Path]], model: Model) -> Index:
        """Reads an index that the model made: its file, a folder, or a folder of segments; or several."""
    def search(
        self,
        query: str,
        limit: int = 10,
        language: Optional[str] = None,
        epsilon: Optional[float] = None,
        *,
        dense: Optional[float] = None,
        filters: Optional[dict[str, list[str]]] = None,
        query_language: Optional[str] = None,
    ) -> list[Hit]:
        """The best documents for a query, best first. `language`: documents of one language only. `epsilon` and `dense`,
        the weight of the dense score: the model's own where they are `None`. `filters`: names of fields with the values
        of which a document must have one. `query_language`: the language of the query, detected where it is `None`."""
    def search_many(
        self,
        queries: Sequence[str],
        limit: int = 10,
        language: Optional[str] = None,
        epsilon: Optional[float] = None,
        *,
        dense: Optional[float] = None,
        filters: Optional[dict[str, list[str]]] = None,
        query_language: Optional[str] = None,
    ) -> list[list[Hit]]:
        """The best documents for each of many queries, on all processors."""
    @property
    def languages(self) -> list[str]:
        """The languages of the documents."""
    @property
    def ids(self) -> list[str]:
        """The ids of all documents, in the order of the index."""
    @property
    def vectors(self) -> npt.NDArray[np.float32]:
        """The vectors of all documents, in the order of the index."""
    def __len__(self) -> int: ...

class _Evaluation(TypedDict, total=False):
    queries: int
    metrics: dict[str, float]
    per_query: dict[str, dict[str, float]]

def evaluate(
    run: dict[str, dict[str, float]],
    qrels: dict[str, dict[str, int]],
    metrics: Optional[Sequence[str]] = None,
    *,
    per_query: bool = False,
) -> _Evaluation:
    """The metrics of a run: of each query its documents with their scores; `qrels` has of each query its judged documents
    with their grades. All queries of `qrels` count, those that the run lacks as zero; without `metrics`, the first
    paper's seven, of the queries with a document of grade 2."""
