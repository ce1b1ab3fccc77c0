"""contextfit in LlamaIndex: a postprocessor that fits what was retrieved into a budget.

>>> from contextfit_rs.llamaindex import NodeFitter
>>> engine = index.as_query_engine(node_postprocessors=[NodeFitter(budget=1000)])  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode

from . import Fitter
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
    _fitter: Fitter = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        self._fitter = Fitter(
            self.budget,
            model=self.model,
            strategy=self.strategy,
            headers=False,
            separator="",
            omission=False,
        )

    @classmethod
    def class_name(cls) -> str:
        return "ContextfitNodeFitter"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        texts = [node for node in nodes if isinstance(node.node, TextNode)]
        result = self._fitter.fit(
            [self._chunk(node) for node in texts],  # type: ignore[misc]
            query_bundle.query_str if query_bundle else None,
        )
        blocks = {id(node): block for node, block in zip(texts, result.blocks)}
        shown = []
        for node in nodes:
            block = blocks.get(id(node))
            if block is None or block.action == "keep":
                shown.append(node)
            elif block.action != "drop":
                copy = node.node.model_copy(deep=True)
                copy.set_content(block.text)
                shown.append(NodeWithScore(node=copy, score=node.score))
        return shown

    def _chunk(self, node: NodeWithScore) -> dict[str, Any]:
        text = node.node.get_content(metadata_mode=MetadataMode.NONE)
        shown = node.node.get_content(metadata_mode=MetadataMode.LLM) + "\n\n"
        around = self._fitter.count(shown) - self._fitter.count(text)
        # The seam may cost a token more once the text is cut.
        return {"text": text, "score": node.score, "overhead": max(0, around) + 1}
