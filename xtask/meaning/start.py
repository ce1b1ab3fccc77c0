#!/usr/bin/env python3
"""Makes the vectors that training starts from: each piece as all-MiniLM-L6-v2 embeds it.

Each piece is embedded by itself, the result is reduced to its principal components, and frequent
pieces are made shorter, so that they count less in the mean of a text. What the model knows of
rare pieces remains even where training has little to say about them.

Reads WORK/pieces.txt and WORK/matrices.npz and writes WORK/start.npy.
"""

import math
from pathlib import Path

import numpy as np
import safetensors.numpy
import tokenizers

import files

DIMENSIONS = 256
# A piece with this share of all occurrences has half its length.
HALF_LENGTH_SHARE = 1e-3
# The pieces that are embedded at once.
BATCH = 256
# Of the model.
LAYERS = 6
HEADS = 12


class MiniLm:
    """The forward pass of all-MiniLM-L6-v2, a BERT with mean pooling."""

    def __init__(self, folder):
        weights = safetensors.numpy.load_file(folder / "model.safetensors")
        self.weights = {name: array.astype(np.float32) for name, array in weights.items()}
        self.tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()

    def embed(self, texts):
        """Returns one vector of unit length per text."""
        tokens = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        # Texts of the same length together need the least padding.
        order = np.argsort([len(text) for text in tokens])
        width = self.weights["embeddings.word_embeddings.weight"].shape[1]
        vectors = np.zeros((len(texts), width), np.float32)
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            vectors[places] = self._batch([tokens[place] for place in places])
        return vectors

    def _batch(self, texts):
        length = max(map(len, texts))
        tokens = np.zeros((len(texts), length), np.int64)
        mask = np.zeros((len(texts), length), np.float32)
        for row, text in enumerate(texts):
            tokens[row, : len(text)] = text
            mask[row, : len(text)] = 1
        x = (
            self.weights["embeddings.word_embeddings.weight"][tokens]
            + self.weights["embeddings.position_embeddings.weight"][:length][None]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        x = self._normalized(x, "embeddings.LayerNorm")
        # Keeps padding out of the softmax.
        bias = ((1 - mask) * -1e4)[:, None, None, :]
        for number in range(LAYERS):
            x = self._layer(x, bias, f"encoder.layer.{number}.")
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def _layer(self, x, bias, layer):
        n_texts, length, width = x.shape
        head_width = width // HEADS

        def heads(name):
            projected = self._linear(x, f"{layer}attention.self.{name}")
            return projected.reshape(n_texts, length, HEADS, head_width).transpose(0, 2, 1, 3)

        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(head_width) + bias
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        attended = (scores @ value).transpose(0, 2, 1, 3).reshape(n_texts, length, width)
        attended = self._linear(attended, f"{layer}attention.output.dense")
        x = self._normalized(x + attended, f"{layer}attention.output.LayerNorm")
        inner = gelu(self._linear(x, f"{layer}intermediate.dense"))
        inner = self._linear(inner, f"{layer}output.dense")
        return self._normalized(x + inner, f"{layer}output.LayerNorm")

    def _linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normalized(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        variance = (x * x).mean(-1, keepdims=True)
        x = x / np.sqrt(variance + 1e-12)
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(x):
    """The usual approximation, by the hyperbolic tangent."""
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def principal_components(vectors):
    """Returns the vectors in their directions of greatest variance."""
    centred = vectors - vectors.mean(0)
    # Eigenvalues are in ascending order.
    _, directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    return (centred @ directions[:, ::-1][:, :DIMENSIONS]).astype(np.float32)


def shares(matrices):
    """Returns the share of each piece: in how many windows and texts it occurs."""
    n_windows = np.asarray((matrices.windows > 0).sum(0)).ravel().astype(np.float64)
    n = n_windows + np.asarray((matrices.texts > 0).sum(0)).ravel()
    return n / n.sum()


def main():
    parser = files.arguments_of(__doc__)
    parser.add_argument(
        "--model",
        type=Path,
        required=True,
        help="the folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2",
    )
    arguments = parser.parse_args()
    share = shares(files.read_matrices(arguments.work))
    vectors = MiniLm(arguments.model).embed(files.read_pieces(arguments.work))
    weights = HALF_LENGTH_SHARE / (HALF_LENGTH_SHARE + share)
    start = (principal_components(vectors) * weights[:, None]).astype(np.float32)
    np.save(arguments.work / "start.npy", start)


if __name__ == "__main__":
    main()
