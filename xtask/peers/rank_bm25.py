#!/usr/bin/env python3
"""The common way to keep the best sentences of search results in Python, for comparison.

Reads search requests, one JSON object per line, as `contextfit search --jsonl` does, from a file or standard input. Splits
the texts after `.`, `!` and `?`, scores all sentences of a request with `rank_bm25.BM25Okapi`, and keeps the best, in the
order of the text, until the budget is spent. `tiktoken` counts tokens in o200k_base.

With `--all-steps` it takes the same steps as `bm25`: NLTK's Punkt splits sentences, its Snowball stemmer stems words, every
sentence is counted, sentences that do not fit are skipped, and the context is counted once more as a whole.

    pip install rank_bm25 tiktoken nltk
    python3 xtask/peers/rank_bm25.py [--all-steps] [--rounds N] [--budget TOKENS] [--answers FILE] [REQUESTS.jsonl]

Prints one JSON object: the bytes of the texts of all requests, the seconds of the fastest round, megabytes per second and
the number of requests. Imports, loading the vocabulary and reading the requests are not timed.
"""

import argparse
import json
import re
import sys
import time
from pathlib import Path

# This file has the same name as the library, and its folder comes first on the search path.
here = Path(__file__).resolve().parent
sys.path = [place for place in sys.path if Path(place).resolve() != here]

try:
    import tiktoken
    from rank_bm25 import BM25Okapi
except ImportError as error:
    sys.exit(f"{error.name} is not installed: pip install rank_bm25 tiktoken")

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
WORD = re.compile(r"\w+")


def words(text):
    return WORD.findall(text.lower())


def fit(request, budget, encoding):
    """The best sentences of a request within the budget, joined by line feeds."""
    sentences = [s for chunk in request["chunks"] for s in SENTENCE_END.split(chunk["text"]) if s.strip()]
    documents = [words(sentence) for sentence in sentences]
    if not any(documents):
        return ""
    scores = BM25Okapi(documents).get_scores(words(request["query"]))
    kept, left = [], budget
    for n in sorted(range(len(sentences)), key=lambda n: -scores[n]):
        # One more token for the line feed.
        left -= len(encoding.encode_ordinary(sentences[n])) + 1
        if left < 0:
            break
        kept.append(n)
    return "\n".join(sentences[n] for n in sorted(kept))


def all_steps():
    """Returns `fit` with the steps of `bm25`: Punkt, stems, every sentence and the whole context counted."""
    try:
        from nltk.stem.snowball import EnglishStemmer
        from nltk.tokenize.punkt import PunktSentenceTokenizer
    except ImportError as error:
        sys.exit(f"{error.name} is not installed: pip install nltk")
    punkt = PunktSentenceTokenizer()
    stem = EnglishStemmer().stem

    def terms(text):
        return [stem(word) for word in words(text)]

    def fit(request, budget, encoding):
        sentences = [s for chunk in request["chunks"] for s in punkt.tokenize(chunk["text"])]
        documents = [terms(sentence) for sentence in sentences]
        if not any(documents):
            return ""
        costs = [len(encoding.encode_ordinary(sentence)) + 1 for sentence in sentences]
        scores = BM25Okapi(documents).get_scores(terms(request["query"]))
        kept, left = [], budget
        for n in sorted(range(len(sentences)), key=lambda n: -scores[n]):
            if costs[n] <= left:
                left -= costs[n]
                kept.append(n)
        context = "\n".join(sentences[n] for n in sorted(kept))
        assert len(encoding.encode_ordinary(context)) <= budget
        return context

    return fit


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("requests", nargs="?", type=argparse.FileType(encoding="utf-8"), default=sys.stdin)
    parser.add_argument("--all-steps", action="store_true", help="use Punkt and stems, and count everything")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=int, help="budget of requests that have none")
    parser.add_argument("--answers", type=argparse.FileType("w", encoding="utf-8"), help="write the contexts to this file")
    arguments = parser.parse_args()
    requests = [json.loads(line) for line in arguments.requests if line.strip()]
    budgets = [request.get("budget", arguments.budget) for request in requests]
    if None in budgets:
        sys.exit("a request has no budget: pass --budget")
    encoding = tiktoken.get_encoding("o200k_base")
    encoding.encode_ordinary("warm")

    chosen = all_steps() if arguments.all_steps else fit
    seconds = float("inf")
    for _ in range(max(arguments.rounds, 1)):
        start = time.perf_counter()
        contexts = [chosen(request, budget, encoding) for request, budget in zip(requests, budgets)]
        seconds = min(seconds, time.perf_counter() - start)

    if arguments.answers:
        for request, context in zip(requests, contexts):
            answer = {"id": request.get("id"), "context": context}
            print(json.dumps(answer, ensure_ascii=False), file=arguments.answers)
    size = sum(len(chunk["text"].encode()) for request in requests for chunk in request["chunks"])
    figures = {"bytes": size, "seconds": seconds, "mbPerSecond": size / 1e6 / seconds, "requests": len(requests)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
