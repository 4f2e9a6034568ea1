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
    """
    Several taggers. `taggers`: those of each model, which may be another one than the student's. `encode`:
    returns the rows of a message as a model reads them.
    """

    def __init__(self, taggers, encode, batches):
        self.taggers, self.encode, self.batches = taggers, encode, batches

    @torch.no_grad()
    def read(self, messages):
        """
        Sets the means of messages' rows. `messages`: each one's rows as the student reads them, its sentences and
        its language. Teachers whose model finds other words in a message don't count for it, and a message
        without teachers gets no means.
        """
        found = [[] for _ in messages]
        for source, taggers in self.taggers.items():
            theirs = [
                self.encode(message, source) if source.name == "e5" or language == "en" else []
                for _, message, language in messages
            ]
            means = self._means(taggers, [row for rows in theirs for row in rows])
            for parts, (rows, *_), read in zip(found, messages, theirs):
                if read and counts(rows) == counts(read):
                    parts.append((len(taggers), joined([means[id(row)] for row in read])))
        for parts, (rows, *_) in zip(found, messages):
            if parts:
                for row, own in zip(rows, split(weighted(parts), rows)):
                    row.means = own

    def _means(self, taggers, rows):
        """Returns the means of rows that taggers of one model read, by the row's id."""
        means = {}
        for inputs, (tags, _), *_, group in self.batches(rows):
            words = tags != IGNORED
            tag, state, store, label, kind = (torch.stack(head) for head in zip(*(tagger(*inputs) for tagger in taggers)))
            mean = Means(tag[:, words].softmax(-1).mean(0), state[:, words].softmax(-1).mean(0),
                         store.sigmoid().mean(0), label.sigmoid().mean(0), kind.softmax(-1).mean(0))
            means |= {id(row): own for row, own in zip(group, split(mean, group))}
        return means


def joined(means: list[Means]) -> Means:
    """Joins means of consecutive rows."""
    return Means(*(torch.cat(part) for part in zip(*means)))


def weighted(means: list[tuple[int, Means]]) -> Means:
    """
    Returns the mean of several models' means, in which all taggers count the same. `means`: each model's
    number of taggers, and its means.
    """
    total = sum(weight for weight, _ in means)
    return Means(*(sum(part * (weight / total) for part, (weight, _) in zip(parts, means))
                   for parts in zip(*(own for _, own in means))))


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
