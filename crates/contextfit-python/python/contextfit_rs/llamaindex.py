"""contextfit in LlamaIndex: a postprocessor that fits what was retrieved into a budget.

>>> from contextfit_rs.llamaindex import NodeFitter
>>> engine = index.as_query_engine(node_postprocessors=[NodeFitter(budget=1000)])  # doctest: +SKIP
"""

from __future__ import annotations

from math import isfinite
from typing import Any

from llama_index.core.bridge.pydantic import Field
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from . import count, fit
from .types import Strategy

__all__ = ["NodeFitter"]


class NodeFitter(BaseNodePostprocessor):
    """Fits retrieved nodes into a budget: the parts that answer the query, and nothing beyond `budget` tokens.

    The metadata that LlamaIndex puts around each node when the model is shown it counts, and an empty line between nodes.
    Nodes without a text stay as they are and do not count.
    """

    budget: int = Field(description="The most tokens of all nodes, with their metadata.")
    model: str | None = Field(default=None, description="The model whose tokens are counted.")
    strategy: Strategy = Field(default="auto", description="The strategy.")

    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        # What is wrong is told now.
        self._postprocess_nodes([])

    @classmethod
    def class_name(cls) -> str:
        return "ContextfitNodeFitter"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        texts = [node.node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
        result = fit(
            [self._chunk(node, text) for node, text in zip(nodes, texts) if text],
            query_bundle.query_str if query_bundle else None,
            budget=self.budget,
            model=self.model,
            strategy=self.strategy,
            headers=False,
            separator="",
            omission=False,
        )
        blocks = iter(result.blocks)
        shown = []
        for node, text in zip(nodes, texts):
            block = next(blocks) if text else None
            if block is None or block.action == "keep":
                shown.append(node)
            elif block.action != "drop":
                copy = node.node.model_copy()
                copy.set_content(block.text)
                shown.append(NodeWithScore(node=copy, score=node.score))
        return shown

    def _chunk(self, node: NodeWithScore, text: str) -> dict[str, Any]:
        shown = node.node.get_content(metadata_mode=MetadataMode.LLM) + "\n\n"
        around = count(shown, model=self.model) - count(text, model=self.model)
        score = None if node.score is None or not isfinite(node.score) else node.score
        # The seam may cost a token more once the text is cut.
        return {"text": text, "score": score, "overhead": max(0, around) + 1}
