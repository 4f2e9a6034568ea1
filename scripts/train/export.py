"""Writes trained encoders as ONNX graphs with int8 matrices.

Input of a tagger: `words` [1, length, 384], rows of the embedder's word table, and `shapes` [1, length];
`starts` [sentences], the first token of each sentence, and `shares` [sentences, length], what each
token contributes to a sentence's mean. Outputs are probabilities: `tags` [length, tags], `states`
[length, 4], `store` [sentences, 1], `labels` [sentences, labels], `types` [sentences, 8].
"""

import hashlib
import json
import os

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from markup import TYPES
from rows import LABELS, TAGS
from trunk import EPSILON, HEADS, MAX_TOKENS, SHAPES

MICROSOFT = "com.microsoft"
STEPS = 63
"""Largest int8 weight: 7 bits, since AVX2's multiplication saturates with 8."""


class Graph:
    """Collects nodes and initializers."""

    def __init__(self):
        self.nodes, self.initializers = [], []

    def constant(self, name, values):
        self.initializers.append(numpy_helper.from_array(numpy.ascontiguousarray(values), name))
        return name

    def node(self, operator, inputs, output, domain="", **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def quantize(self, name, matrix):
        """Stores a matrix as int8 with one scale per column."""
        scale = numpy.maximum(numpy.abs(matrix).max(0), 1e-8) / STEPS
        self.constant(f"{name}_i8", numpy.rint(matrix / scale).astype(numpy.int8))
        self.constant(f"{name}_scale", scale.astype(numpy.float32))
        self.constant(f"{name}_zero", numpy.zeros(matrix.shape[1], numpy.int8))

    def activations(self, x):
        """Quantizes activations. Returns the names of values, scale and zero point."""
        outputs = [f"{x}_q", f"{x}_qs", f"{x}_qz"]
        self.nodes.append(helper.make_node("DynamicQuantizeLinear", [x], outputs))
        return outputs

    def dense(self, x, name, matrix, bias):
        """x @ matrix + bias with an int8 matrix."""
        self.quantize(name, matrix)
        values, scale, zero = self.activations(x)
        self.node("MatMulInteger", [values, f"{name}_i8", zero, f"{name}_zero"], f"{name}_int")
        self.node("Cast", [f"{name}_int"], f"{name}_float", to=TensorProto.FLOAT)
        self.node("Mul", [scale, f"{name}_scale"], f"{name}_scales")
        self.node("Mul", [f"{name}_float", f"{name}_scales"], f"{name}_scaled")
        return self.node("Add", [f"{name}_scaled", self.constant(f"{name}_bias", bias)], f"{name}_out")

    def norm(self, x, name, scale, shift):
        inputs = [x, self.constant(f"{name}_w", scale), self.constant(f"{name}_b", shift)]
        return self.node("LayerNormalization", inputs, name, axis=-1, epsilon=EPSILON)

    def head(self, x, name, linear, activation, **attributes):
        """A full-precision layer and its activation."""
        weight, bias = (p.detach().float().numpy() for p in (linear.weight, linear.bias))
        self.node("MatMul", [x, self.constant(f"{name}_head", weight.T)], f"{name}_product")
        self.node("Add", [f"{name}_product", self.constant(f"{name}_head_bias", bias)], f"{name}_logits")
        self.node(activation, [f"{name}_logits"], name, **attributes)


def array(parameter) -> numpy.ndarray:
    return parameter.detach().float().numpy()


def encode(g: Graph, trunk, shapes: str | None) -> str:
    """
    Adds a trunk that reads `words`, and `shapes` unless it's None. Returns its output, which has
    the shape [1, length, 384]. Adds the constants `zero` and `first_axis`, too.
    """
    g.constant("zero", numpy.array([0], numpy.int64))
    g.constant("first_axis", numpy.array([0], numpy.int64))
    g.node("Shape", ["words"], "length", start=1, end=2)
    g.node("Slice", [g.constant("pos", array(trunk.pos)), "zero", "length", "first_axis"], "positions")
    if shapes is not None:
        g.node("Gather", [g.constant("shape_table", array(trunk.shapes)), shapes], "shape_rows")
    x = g.node("Add", ["words", "positions"], "placed")
    if shapes is not None:
        x = g.node("Add", [x, "shape_rows"], "embedded")
    x = g.norm(x, "x0", array(trunk.elw), array(trunk.elb))
    for i, layer in enumerate(trunk.layers):
        p = {name: array(value) for name, value in layer.named_parameters()}
        g.quantize(f"l{i}_qkv", p["qkvw"])
        values, scale, zero = g.activations(x)
        inputs = [values, f"l{i}_qkv_i8", g.constant(f"l{i}_qkvb", p["qkvb"]), scale, f"l{i}_qkv_scale", "", zero, f"l{i}_qkv_zero"]
        g.node("QAttention", inputs, f"l{i}_attention", MICROSOFT, num_heads=HEADS)
        out = g.dense(f"l{i}_attention", f"l{i}_ao", p["aow"], p["aob"])
        x = g.norm(g.node("Add", [out, x], f"l{i}_sum1"), f"l{i}_x1", p["alnw"], p["alnb"])
        hidden = g.node("Gelu", [g.dense(x, f"l{i}_fi", p["fiw"], p["fib"])], f"l{i}_g", MICROSOFT)
        out = g.dense(hidden, f"l{i}_fo", p["fow"], p["fob"])
        x = g.norm(g.node("Add", [out, x], f"l{i}_sum2"), f"l{i}_x2", p["olnw"], p["olnb"])
    return x


def finish(g: Graph, name: str, inputs, outputs) -> onnx.ModelProto:
    """Makes a model of the collected nodes. Inputs and outputs: name, element type, shape."""
    graph = helper.make_graph(
        g.nodes, name,
        [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(*one) for one in outputs],
        g.initializers,
    )
    domains = [helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=domains, ir_version=9)
    onnx.checker.check_model(model)
    return model


def tagger(model) -> onnx.ModelProto:
    """Returns the graph of a tagger."""
    g = Graph()
    x = encode(g, model.trunk, "shapes")
    g.node("Squeeze", [x, "first_axis"], "trunk")
    g.constant("vector_mean", array(model.mean))
    g.constant("vector_spread", array(model.spread))
    g.node("Sub", ["trunk", "vector_mean"], "centered")
    g.node("Div", ["centered", "vector_spread"], "tokens")
    g.head("tokens", "tags", model.tag, "Softmax", axis=-1)
    g.head("tokens", "states", model.state, "Softmax", axis=-1)
    g.node("Gather", ["tokens", "starts"], "begin", axis=0)
    g.node("MatMul", ["shares", "tokens"], "mean")
    g.node("Concat", ["begin", "mean"], "sentence", axis=-1)
    g.head("sentence", "store", model.store, "Sigmoid")
    g.head("sentence", "labels", model.label, "Sigmoid")
    g.head("sentence", "types", model.kind, "Softmax", axis=-1)
    return finish(
        g, "tagger",
        [("words", TensorProto.FLOAT, [1, "length", 384]), ("shapes", TensorProto.INT64, [1, "length"]),
         ("starts", TensorProto.INT64, ["sentences"]), ("shares", TensorProto.FLOAT, ["sentences", "length"])],
        [("tags", TensorProto.FLOAT, ["length", len(TAGS)]), ("states", TensorProto.FLOAT, ["length", 4]),
         ("store", TensorProto.FLOAT, ["sentences", 1]), ("labels", TensorProto.FLOAT, ["sentences", len(LABELS)]),
         ("types", TensorProto.FLOAT, ["sentences", len(TYPES)])],
    )


def query_encoder(trunk) -> onnx.ModelProto:
    """Returns a graph from `words` [1, length, 384] to `embedding` [1, 384], of length 1."""
    g = Graph()
    x = encode(g, trunk, None)
    g.constant("token_axis", numpy.array([1], numpy.int64))
    g.node("ReduceMean", [x, "token_axis"], "mean", keepdims=0)
    g.node("LpNormalization", ["mean"], "embedding", axis=-1, p=2)
    return finish(
        g, "query_encoder",
        [("words", TensorProto.FLOAT, [1, "length", 384])],
        [("embedding", TensorProto.FLOAT, [1, 384])],
    )


def write(model, source, out: str) -> None:
    """Writes model.onnx and config.json to a folder and prints their checksums."""
    folder = os.path.join(out, f"tagger-{source.name}")
    os.makedirs(folder, exist_ok=True)
    model.eval()
    config = {"trunk": source.folder, "max_tokens": MAX_TOKENS, "shapes": SHAPES, "tags": TAGS, "labels": LABELS, "types": TYPES}
    save(folder, "model.onnx", tagger(model).SerializeToString(deterministic=True))
    save(folder, "config.json", (json.dumps(config, indent=1) + "\n").encode())


def save(folder: str, name: str, content: bytes) -> None:
    """Writes a file and prints its checksum."""
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
    print(f"{hashlib.sha256(content).hexdigest()}  {name}  {len(content) / 1e6:.1f} MB")
