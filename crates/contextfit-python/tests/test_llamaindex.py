"""LlamaIndex."""

from __future__ import annotations

import threading

import pytest
from texts import PAGE

import contextfit_rs as contextfit

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: pip install llama-index-core")

from llama_index.core.schema import (
    Document,
    ImageNode,
    IndexNode,
    MetadataMode,
    NodeWithScore,
    QueryBundle,
    TextNode,
)

from contextfit_rs.llamaindex import NodeFitter


@pytest.mark.parametrize("budget", [100, 400, 900])
def test_what_the_model_is_shown_is_within_the_budget(budget: int) -> None:
    nodes = [
        NodeWithScore(
            node=TextNode(
                id_=str(n), text=f"{n}. {PAGE}", metadata={"file_name": f"{n}.md", "author": "A. N. Other"}
            ),
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
    long = NodeWithScore(node=TextNode(text=PAGE), score=float("nan"))
    shown = NodeFitter(budget=90).postprocess_nodes([picture, long], query_str="tokens")
    assert shown[0] is picture
    assert len(shown) == 2


def test_documents_count_and_objects_are_not_copied() -> None:
    documents = [NodeWithScore(node=Document(text=PAGE)) for _ in range(5)]
    shown = NodeFitter(budget=60).postprocess_nodes(documents, query_str="how are tokens counted")
    assert contextfit.count("\n\n".join(node.get_content() for node in shown)) <= 60
    lock = threading.Lock()
    node = IndexNode(text=PAGE, index_id="i", obj=lock)
    (copy,) = NodeFitter(budget=60).postprocess_nodes(
        [NodeWithScore(node=node)], query_str="how are tokens counted"
    )
    assert copy.node.obj is lock  # type: ignore[attr-defined]
    assert (node.text, len(copy.get_content()) < len(PAGE)) == (PAGE, True)
