"""Learning from the mean of several taggers, which is right more often than each of them.

Their probabilities on messages without marks are training data, too, and no one has to mark those
(Hinton et al. 2015, "Distilling the Knowledge in a Neural Network"). On training messages alone, they
would mostly repeat the marks that they have learned.
"""

from typing import NamedTuple

import torch
from torch.nn import functional

from rows import IGNORED

MARKS_WEIGHT = 0.5
"""Weight of the loss of the marks. That of the teachers' means is 1."""


class Means(NamedTuple):
    """
    Means of the teachers' probabilities. `tag`, `state`: a row per word that has a tag; `store`, `label`,
    `kind`: a row per sentence.
    """

    tag: torch.Tensor
    state: torch.Tensor
    store: torch.Tensor
    label: torch.Tensor
    kind: torch.Tensor


class Teachers:
    """Several taggers on the same trunk, which may be another one than the student's."""

    def __init__(self, taggers, source, batches):
        self.taggers, self.source, self.batches = taggers, source, batches

    @torch.no_grad()
    def read(self, messages):
        """
        Sets the means of messages' rows. `messages`: each one's rows as the student reads them, and as the
        teachers do. Rows of messages whose sentences don't have as many words for both get none.
        """
        means = {}
        for inputs, (tags, _), *_, rows in self.batches([row for _, rows in messages for row in rows]):
            heads = [torch.stack(head) for head in zip(*(tagger(*inputs) for tagger in self.taggers))]
            for row, own in zip(rows, split(self._mean(heads, tags != IGNORED), rows)):
                means[id(row)] = own
        for rows, theirs in messages:
            if counts(rows) != counts(theirs):
                continue
            whole = Means(*(torch.cat(part) for part in zip(*(means[id(row)] for row in theirs))))
            for row, own in zip(rows, split(whole, rows)):
                row.means = own

    def _mean(self, heads, words):
        tag, state, store, label, kind = heads
        return Means(tag[:, words].softmax(-1).mean(0), state[:, words].softmax(-1).mean(0),
                     store.sigmoid().mean(0), label.sigmoid().mean(0), kind.softmax(-1).mean(0))


def counts(rows):
    """Returns the number of words with a tag of each sentence."""
    return [sum(tag != IGNORED for tag in row.tags[part.start : part.end]) for row in rows for part in row.parts]


def split(means: Means, rows) -> list[Means]:
    """Splits means of several rows' words and sentences."""
    words, parts = [sum(counts([row])) for row in rows], [len(row.parts) for row in rows]
    pieces = [part.split(words if i < 2 else parts) for i, part in enumerate(means)]
    return [Means(*own) for own in zip(*pieces)]


def soft_loss(outputs, means: Means, words):
    """
    Cross entropy with the teachers' means, with the weights of the heads in `loss_of`. It needs no
    `pos_weight`: the teachers' probabilities include it. Sentences without a decision or type count, too.
    `words`: mask of the words that have a tag.
    """
    tag, state, store, label, kind = outputs
    entropy = lambda some, mean: -(mean * some.log_softmax(-1)).sum(-1)
    # The state of a word matters as far as it's part of a value.
    inside = 1 - means.tag[:, 0]
    states = (entropy(state[words], means.state) * inside).sum() / inside.sum().clamp(min=1)
    return (2 * entropy(tag[words], means.tag).mean() + 0.5 * states
            + 0.5 * functional.binary_cross_entropy_with_logits(store, means.store)
            + 3 * functional.binary_cross_entropy_with_logits(label, means.label)
            + 0.3 * entropy(kind, means.kind).mean())
