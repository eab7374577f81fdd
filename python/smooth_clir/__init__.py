"""Cross-lingual search by smooth cosine similarity: models, indexes and metrics."""

from ._native import Hit, Index, Model, SmoothClirError, __version__, evaluate

__all__ = ["Hit", "Index", "Model", "SmoothClirError", "__version__", "evaluate"]
