"""Trains the encoder of memory queries on training/search and writes it to assets/embedding.

    python scripts/train/query_encoder.py [--valid AUTHORS] [--epochs N] [--seed N] [--out FOLDER]

It begins with the weights of MiniLM. Passages keep the vectors of MiniLM itself, so nothing that's
stored has to be embedded again. The loss is the cross entropy of the relevant passages among those of the
query's collection, and among those of all collections.
"""

import argparse
import copy
import glob
import os
import random
import time

import torch
from torch.nn import functional

import conversations
import export
import pieces
from trunk import ASSETS, Model, Trunk

DATA = os.path.join(os.path.dirname(__file__), "../../training/search")

MAX_TOKENS = 256
"""Longest query, as in src/embedding/builtin_models.ts."""

BATCH = 64

TEMPERATURE = 0.05

EVERYWHERE = 0.5
"""Weight of the passages of all collections, relative to those of the query's own."""

WARM_UP = 0.1
"""Share of the steps in which the learning rate rises."""


class Encoder(torch.nn.Module):
    """A trunk, the mean of its token vectors, and a length of 1."""

    def __init__(self, source: Model):
        super().__init__()
        self.trunk = Trunk(source, MAX_TOKENS)
        self.tokenizer = source.tokenizer

    def ids(self, text: str) -> list[int]:
        ids, previous = [self.tokenizer.first], -1
        for start, end in pieces.words(text):
            ids += self.tokenizer.pieces(text[start:end], start != previous)
            previous = end
        return ids[: MAX_TOKENS - 1] + [self.tokenizer.last]

    def forward(self, texts: list[str]) -> torch.Tensor:
        rows = [self.ids(text) for text in texts]
        vectors = [None] * len(rows)
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        for at in range(0, len(order), BATCH):
            group = order[at : at + BATCH]
            length = max(len(rows[i]) for i in group)
            ids = torch.tensor([rows[i] + [0] * (length - len(rows[i])) for i in group])
            mask = torch.tensor([[j < len(rows[i]) for j in range(length)] for i in group])
            tokens = self.trunk(ids, torch.zeros_like(ids), mask) * mask[..., None]
            for i, vector in zip(group, functional.normalize(tokens.sum(1), dim=-1)):
                vectors[i] = vector
        return torch.stack(vectors)


def read(authors: set[str] | None, without: set[str]) -> list[conversations.Collection]:
    """Reads the files of some authors, or of all (None), except those of others."""
    collections = []
    for path in sorted(glob.glob(os.path.join(DATA, "*.txt"))):
        author = os.path.basename(path).removesuffix(".txt")
        if author not in without and (authors is None or author in authors):
            collections += conversations.read(path)
    return collections


@torch.no_grad()
def embed(model: Encoder, collections) -> list[torch.Tensor]:
    """Returns the vectors of each collection's passages."""
    model.eval()
    return [model(one.passages) for one in collections]


@torch.no_grad()
def score(model: Encoder, collections, passages) -> str:
    """Returns the recall of the relevant passages among the first ten of a collection, and MRR."""
    model.eval()
    recalls, ranks = [], []
    for one, vectors in zip(collections, passages):
        orders = (model([query for query, _ in one.queries]) @ vectors.T).argsort(-1, descending=True)
        for order, (_, relevant) in zip(orders.tolist(), one.queries):
            ranked = [order.index(one) for one in relevant]
            recalls.append(sum(rank < 10 for rank in ranked) / len(ranked))
            ranks.append(1 / (1 + min(ranked)))
    count = max(1, len(recalls))
    return f"R@10 {100 * sum(recalls) / count:.1f}  MRR {sum(ranks) / count:.3f}  of {len(recalls)}"


def loss_of(queries, relevant, own, everything, start: int):
    """Returns the mean over queries of the cross entropy of the relevant passages, in both sets."""
    near = (queries @ own.T / TEMPERATURE).log_softmax(-1)
    far = (queries @ everything.T / TEMPERATURE).log_softmax(-1)
    losses = [-near[i, a].mean() - EVERYWHERE * far[i, [start + j for j in a]].mean() for i, a in enumerate(relevant)]
    return torch.stack(losses).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--valid", default="zainab,pernille", help="authors that aren't trained on, by comma")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", help="default: the folder of the embedder")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)

    valid = set(options.valid.split(","))
    source = Model("minilm")
    base = Encoder(source)
    model = copy.deepcopy(base)
    training, checks = read(None, valid), read(valid, set())
    passages, check_passages = embed(base, training), embed(base, checks)
    everything = torch.cat(passages)
    starts = [0]
    for vectors in passages:
        starts.append(starts[-1] + len(vectors))
    print(f"{len(training)} collections, {sum(len(c.queries) for c in training)} queries", flush=True)
    print(f"before: {score(base, checks, check_passages)}", flush=True)

    parameters = [p for name, p in model.named_parameters() if p.requires_grad and name != "trunk.shapes"]
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=0.01)
    steps, step, began = options.epochs * len(training), 0, time.monotonic()
    for epoch in range(options.epochs):
        total = 0.0
        order = list(range(len(training)))
        rng.shuffle(order)
        for i in order:
            step += 1
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, step / (WARM_UP * steps)) * (1 - (step - 1) / steps)
            model.train()
            queries = model([query for query, _ in training[i].queries])
            loss = loss_of(queries, [a for _, a in training[i].queries], passages[i], everything, starts[i])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(training):.3f}, {time.monotonic() - began:.0f} s", flush=True)
        print(f"  {score(model, checks, check_passages)}", flush=True)
    folder = options.out or os.path.join(ASSETS, "embedding", source.folder)
    graph = export.query_encoder(model.trunk)
    export.save(folder, "memory_query_encoder.onnx", graph.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
