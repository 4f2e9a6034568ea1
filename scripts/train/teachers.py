"""Learning from the mean of several taggers, which is right more often than each of them.

What they say of messages without marks, which nobody has to read, teaches as well (Hinton et al. 2015,
"Distilling the Knowledge in a Neural Network"). On training messages alone, they'd mostly repeat the
marks, which they know.
"""

import glob
import os
import re

import torch
from torch import nn
from torch.nn import functional

from markup import Sentence
from options import DATA

MARKED = 0.5
"""Weight of the loss of the marks. That of the teachers' means is 1."""


def read_unmarked() -> list[list[Sentence]]:
    """Reads messages without marks, one on each line. Their sentences seem to say nothing; no loss reads that."""
    messages = []
    for path in sorted(glob.glob(os.path.join(DATA, "unmarked", "*.txt"))):
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file]
        for line in lines:
            sentences = re.split(r"(?<=[.!?…])\s+", line)
            if line and not line.startswith("#"):
                messages.append([Sentence(text, [], [], 0, None) for text in sentences])
    return messages


class Teachers(nn.Module):
    """Several taggers. Returns the means of their probabilities, for the same heads."""

    def __init__(self, taggers):
        super().__init__()
        self.taggers = nn.ModuleList(taggers).eval().requires_grad_(False)

    @torch.no_grad()
    def forward(self, *inputs):
        heads = zip(*(tagger(*inputs) for tagger in self.taggers))
        tag, state, store, label, kind = (torch.stack(head) for head in heads)
        return (tag.softmax(-1).mean(0), state.softmax(-1).mean(0), store.sigmoid().mean(0),
                label.sigmoid().mean(0), kind.softmax(-1).mean(0))


def soft_loss(outputs, means, words):
    """Cross entropy with the teachers' means, with the weights of `loss_of`. `words`: starts of words."""
    tag, state, store, label, kind = outputs
    mean_tag, mean_state, mean_store, mean_label, mean_kind = means
    entropy = lambda some, mean: -(mean * some.log_softmax(-1)).sum(-1)
    # The state of a word matters as far as it's part of a value.
    inside = 1 - mean_tag[words][:, 0]
    states = (entropy(state[words], mean_state[words]) * inside).sum() / inside.sum().clamp(min=1)
    return (2 * entropy(tag[words], mean_tag[words]).mean() + 0.5 * states
            + 0.5 * functional.binary_cross_entropy_with_logits(store, mean_store)
            + 3 * functional.binary_cross_entropy_with_logits(label, mean_label)
            + 0.3 * entropy(kind, mean_kind).mean())
