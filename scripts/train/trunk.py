"""The encoder of an embedding model in assets/embedding, as a torch module.

Weights are read from the program's own ONNX file and dequantized, so training needs no download,
and the word table of the tagger is exactly that of the embedder.
"""

import math
import os

import numpy
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from options import TRUNKS
from pieces import Unigram, WordPiece

ASSETS = os.path.join(os.path.dirname(__file__), "../../assets")
HEADS = 12
EPSILON = 1e-12
MAX_TOKENS = 128
"""Longest input of the tagger. Its share of the position table is exported."""

SHAPES = 5
DROPPED = 0.1

FASTEST = torch.bfloat16 if torch.cpu.get_capabilities().get("avx512_bf16") else torch.float32
"""Type in which this processor trains fastest: bfloat16 if it multiplies it, which takes two thirds of the time."""


class Model:
    """A model in assets/embedding: initializers by name, tokenizer and word table."""

    def __init__(self, name: str):
        self.name = name
        self.folder = TRUNKS[name]
        path = os.path.join(ASSETS, "embedding", self.folder)
        graph = onnx.load(os.path.join(path, "model.onnx")).graph
        self.weights = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
        self.layers = 1 + max(int(n[1:].split("_")[0]) for n in self.weights if n[0] == "l" and n[1].isdigit())
        self.tokenizer = (
            WordPiece(os.path.join(path, "vocab.txt"))
            if name == "minilm"
            else Unigram(os.path.join(path, "unigram.bin"))
        )

    def matrix(self, name: str) -> torch.Tensor:
        """A dense matrix, dequantized."""
        values = self.weights[f"{name}_quantized"].astype(numpy.float32)
        zero = self.weights[f"{name}_zero_point"].astype(numpy.float32)
        return torch.tensor((values - zero) * self.weights[f"{name}_scale"])

    def vector(self, name: str) -> torch.Tensor:
        return torch.tensor(self.weights[name].astype(numpy.float32))

    def word_table(self) -> torch.Tensor:
        """One row per token. MiniLM: int8 and a scale per row; e5: 4 bits and a scale per block."""
        if self.name == "minilm":
            return torch.tensor(self.weights["word_i8"].astype(numpy.float32) * self.weights["word_s"])
        packed = self.weights["word_q4"]
        halves = numpy.concatenate([packed & 15, packed >> 4], axis=-1).astype(numpy.float32) - 8
        return torch.tensor((halves * self.weights["word_s"].astype(numpy.float32)).reshape(len(packed), -1))


class Dropout(nn.Module):
    """Dropout with masks cut from a pool, since drawing new ones takes a sixth of a training step."""

    pools = {}
    """A pool per type. bfloat16 rounds the factor of what is left from 1.111 to 1.109."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        if x.dtype not in Dropout.pools:
            Dropout.pools[x.dtype] = (torch.rand(2**23) >= DROPPED).to(x.dtype) / (1 - DROPPED)
        start = int(torch.randint(2**23 - x.numel(), ()))
        return x * Dropout.pools[x.dtype][start : start + x.numel()].view(x.shape)


class Layer(nn.Module):
    """A transformer layer. Parameters have the names of the embedder's graph."""

    def __init__(self, model: Model, index: int):
        super().__init__()
        for name in ("qkvw", "aow", "fiw", "fow"):
            self.register_parameter(name, nn.Parameter(model.matrix(f"l{index}_{name}")))
        for name in ("qkvb", "aob", "fib", "fob", "alnw", "alnb", "olnw", "olnb"):
            self.register_parameter(name, nn.Parameter(model.vector(f"l{index}_{name}")))
        self.dropout = Dropout()

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        tokens = x.flatten(0, 1)
        qkv = self._linear(tokens, "qkv").view(batch, length, 3, HEADS, width // HEADS)
        query, key, value = (part.transpose(1, 2) for part in qkv.unbind(2))
        # At these lengths, plain products are five times faster than torch's fused attention.
        scores = (query @ key.transpose(2, 3) / math.sqrt(width // HEADS)).float() + mask
        attended = scores.softmax(-1).to(value.dtype) @ value
        out = self._linear(attended.transpose(1, 2).reshape(tokens.shape), "ao")
        tokens = self._norm(tokens + self.dropout(out), "aln")
        out = self._linear(functional.gelu(self._linear(tokens, "fi")), "fo")
        return self._norm(tokens + self.dropout(out), "oln").view(x.shape)

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = getattr(self, f"{name}w").to(x.dtype), getattr(self, f"{name}b").to(x.dtype)
        return torch.addmm(bias, x, weight)

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = getattr(self, f"{name}w").to(x.dtype), getattr(self, f"{name}b").to(x.dtype)
        return functional.layer_norm(x, x.shape[-1:], weight, bias, EPSILON)


class Trunk(nn.Module):
    """
    Embeddings and layers. The word table stays as it is. `precision`: type in which the layers compute.
    Their weights stay in float32, and so does attention where it's normalized.
    """

    def __init__(self, model: Model, max_tokens: int = MAX_TOKENS, precision: torch.dtype = torch.float32):
        super().__init__()
        self.precision = precision
        self.words = nn.Embedding.from_pretrained(model.word_table(), freeze=True)
        width = self.words.embedding_dim
        self.pos = nn.Parameter(model.vector("pos")[:max_tokens].clone())
        self.shapes = nn.Parameter(torch.zeros(SHAPES, width))
        self.elw = nn.Parameter(model.vector("elw"))
        self.elb = nn.Parameter(model.vector("elb"))
        self.layers = nn.ModuleList(Layer(model, i) for i in range(model.layers))
        self.dropout = Dropout()

    def forward(self, ids: torch.Tensor, shapes: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """ids, shapes, mask: [batch, length]; mask is true for tokens. Returns [batch, length, width]."""
        x = self.words(ids) + self.pos[: ids.shape[1]] + self.shapes[shapes]
        x = functional.layer_norm(x, x.shape[-1:], self.elw, self.elb, EPSILON)
        x = self.dropout(x.to(self.precision))
        attention = torch.zeros(mask.shape).masked_fill(~mask, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attention)
        return x.float()
