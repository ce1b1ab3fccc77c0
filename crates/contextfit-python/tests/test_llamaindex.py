"""LlamaIndex."""

from __future__ import annotations

import pytest
from texts import PAGE

import contextfit_rs as contextfit

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: pip install llama-index-core")

from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, QueryBundle, TextNode

from contextfit_rs.llamaindex import NodeFitter


@pytest.mark.parametrize("budget", [100, 400, 900])
def test_what_the_model_is_shown_is_within_the_budget(budget: int) -> None:
    nodes = [
        NodeWithScore(
            node=TextNode(id_=str(n), text=f"{n}. {PAGE}", metadata={"file_name": f"{n}.md", "author": "A. N. Other"}),
            score=1 - n / 10,
        )
        for n in range(9)
    ]
    shown = NodeFitter(budget=budget).postprocess_nodes(nodes, QueryBundle("how are tokens counted"))
    text = "\n\n".join(node.get_content(metadata_mode=MetadataMode.LLM) for node in shown)
    assert shown
    assert contextfit.count(text) <= budget
    assert "Tokens are counted once." in text
    for node in shown:
        before = nodes[int(node.node_id)]
        assert (node.score, node.node.metadata) == (before.score, before.node.metadata)
        assert PAGE in before.text


def test_other_nodes_stay() -> None:
    picture = NodeWithScore(node=ImageNode(image="aaaa"))
    text = NodeWithScore(node=TextNode(text="short"))
    assert NodeFitter(budget=90).postprocess_nodes([picture, text], query_str="short") == [picture, text]
