"""Learning from the mean of several taggers, which is right more often than each of them.

Their probabilities on messages without marks are training data, too, and no one has to mark those
(Hinton et al. 2015, "Distilling the Knowledge in a Neural Network"). On training messages alone, they
would mostly repeat the marks that they have learned.
"""

import torch
from torch import nn
from torch.nn import functional

MARKS_WEIGHT = 0.5
"""Weight of the loss of the marks. That of the teachers' means is 1."""


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
    """
    Cross entropy with the teachers' means, with the weights of the heads in `loss_of`. It needs no
    `pos_weight`: the teachers' probabilities include it. Sentences without a decision or type count, too.
    `words`: mask of the words that have a tag.
    """
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
