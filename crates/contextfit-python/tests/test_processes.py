"""Threads, and processes by fork and by spawn."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from texts import PAGE

import contextfit_rs as contextfit
from contextfit_rs import Fitter, Session

QUERY = "how are tokens counted"


def fit(fitter: Fitter) -> str:
    return fitter.fit_batch([{"chunks": [PAGE] * 20, "query": QUERY}] * 4)[3].text


@pytest.mark.parametrize("threads", [None, 1, 2])
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_child_answers_as_its_parent(method: str, threads: int | None) -> None:
    # A call in the parent starts the threads that a forked child lacks.
    fitter = Fitter(400, threads=threads)
    expect = fit(fitter)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        answers = [pool.submit(fit, fitter) for _ in range(4)]
        assert [answer.result(timeout=60) for answer in answers] == [expect] * 4


def test_a_pool_of_processes() -> None:
    fitter = Fitter(400)
    expect = fit(fitter)
    with multiprocessing.Pool(2) as pool:
        assert pool.map_async(fit, [fitter] * 4).get(timeout=60) == [expect] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_of_a_child_answers() -> None:
    code = """
import os, sys
from contextfit_rs import fit
page = "Tokens are counted once. " * 300
expect = fit([page] * 9, "tokens", budget=300).text
for _ in range(2):
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    assert fit([page] * 9, "tokens", budget=300).text == expect
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_threads_share_a_fitter(threads: int | None) -> None:
    fitter = Fitter(400, threads=threads)
    expect = fit(fitter)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(fit, [fitter] * 24)) == [expect] * 24


def test_other_threads_of_python_go_on() -> None:
    done = threading.Event()
    thread = threading.Thread(
        target=lambda: (contextfit.fit([PAGE * 40] * 20, QUERY, budget=900), done.set())
    )
    thread.start()
    steps = 0
    while not done.is_set():
        steps += 1
        done.wait(0.0001)
    thread.join()
    assert steps > 1


def test_threads_share_a_session() -> None:
    session = Session([{"role": "user", "content": "Hello"}], high=2_000)

    def work(n: int) -> None:
        session.push({"role": "user", "content": f"{n}: {PAGE[:300]}"})
        session.prepare()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(60)))
    assert session.tokens <= 2_000
    assert pickle.loads(pickle.dumps(session)).request == session.request


def test_an_import_loads_little() -> None:
    code = "import contextfit_rs, sys; print(sorted({'asyncio', 'json', 'typing', 'html', 'numpy'} & set(sys.modules)))"
    clean = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"]
    loaded = subprocess.run(clean, check=True, capture_output=True, text=True, timeout=60).stdout
    assert "asyncio" not in loaded
    assert "typing" not in loaded
