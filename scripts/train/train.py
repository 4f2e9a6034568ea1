"""Trains the tagger on training/inference and writes it to assets/inference.

    python scripts/train/train.py minilm|e5 [--epochs N] [--seed N] [--out FOLDER]
    python scripts/train/train.py minilm|e5 --continue FOLDER --new AUTHORS [--old SHARE] ...
    python scripts/train/train.py minilm|e5 --continue FOLDER --teachers FOLDER... [--old SHARE] ...

Results are the same for the same seed on the same kind of processor; other processors round
differently.
"""

import argparse
import glob
import itertools
import os
import random
import time

import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

import export
import markup
import pieces
import teachers
from options import DATA, authors_of, by_model, check_start
from rows import IGNORED, LABELS, TAGS, Noise, encode
from trunk import FASTEST, MAX_TOKENS, Dropout, Model, Trunk

STATES = 4
BATCH = 48
JOINED = 0.12
"""Share of sentences that are joined with the next one, or with another message's if there's only one."""

EXTENDED = 0.12
"""Share of messages that get other messages before and after them, so that rows of all lengths occur."""

EXTENDED_WORDS = 100
"""Maximum number of words of such a message before the last one is added."""

DENSE = 0.25
"""Share of messages of one sentence with a claim that get others of these: people introduce themselves."""

DENSE_SENTENCES = 8
"""Maximum number of sentences of such a message."""

ASKED = 0.15
"""Share of messages of one sentence with a claim that a question follows: "I live in Porto. Where do you live?"."""

QUESTION = 40
"""Maximum length of such a question, in characters."""

SAYINGS = 0.5
"""Share of the sayings that an epoch reads. There are many of them, and most are easy."""

ENGLISH = 0.6
"""Share of the English messages that an epoch of the multilingual model reads."""

AVERAGED = 0.997
"""Share of the running average of the weights that stays at each step. The average is exported."""


class Tagger(nn.Module):
    """The trunk with five heads: tag and state per word; store, labels and type per sentence."""

    def __init__(self, trunk: Trunk, width: int = 384):
        super().__init__()
        self.trunk = trunk
        # Token vectors of e5 share a large common part. The layers learn from what differs.
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("spread", torch.ones(width))
        self.dropout = Dropout()
        self.tag = nn.Linear(width, len(TAGS))
        self.state = nn.Linear(width, STATES)
        self.store = nn.Linear(2 * width, 1)
        self.label = nn.Linear(2 * width, len(LABELS))
        self.kind = nn.Linear(2 * width, len(markup.TYPES))

    def forward(self, ids, shapes, mask, parts):
        """`parts`: row and first token of each sentence, and per token the sentence that it's part of."""
        x = self.dropout((self.trunk(ids, shapes, mask) - self.mean) / self.spread)
        rows, starts, owners = parts
        tokens = x.flatten(0, 1)
        # Padding is part of one more sentence.
        sums = torch.zeros(len(rows) + 1, x.shape[-1]).index_add(0, owners.flatten(), tokens)[:-1]
        counts = torch.bincount(owners.flatten(), minlength=len(rows) + 1)[:-1, None]
        sentence = torch.cat([x[rows, starts], sums / counts], -1)
        return self.tag(x), self.state(x), self.store(sentence)[:, 0], self.label(sentence), self.kind(sentence)


@torch.no_grad()
def standardize(model, rows, rng):
    """Sets the mean and spread of token vectors from a sample of rows."""
    model.eval()
    vectors = []
    for (ids, shapes, mask, _), *_ in batches(rng.sample(rows, min(len(rows), 400)), rng):
        vectors.append(model.trunk(ids, shapes, mask)[mask])
    vectors = torch.cat(vectors)
    model.mean.copy_(vectors.mean(0))
    # 2.5 keeps the scale of a vector's components near that of MiniLM's.
    model.spread.copy_(vectors.std(0) * 2.5 + 1e-3)


def read_folder(name: str, english_only: bool, old: float = 1, new: frozenset[str] = frozenset()):
    """
    Returns the messages of a folder, with their language and how many of their kind an epoch reads.
    A file's first line begins with its language.
    """
    found = []
    for path in sorted(glob.glob(os.path.join(DATA, name, "*.txt"))):
        with open(path, encoding="utf-8") as file:
            language = file.readline().lstrip("# ")[:2]
        if english_only and language != "en":
            continue
        share = SAYINGS if os.path.basename(path) == "sayings.txt" else 1
        if not english_only and language == "en":
            share *= ENGLISH
        if os.path.basename(path).split("-")[0] not in new:
            share *= old
        found += [(message, language, share) for message in markup.read(path)]
    return found


def rows_of(message, source):
    """Returns the rows of a message as a model reads them."""
    return encode(message, source.tokenizer, MAX_TOKENS)


def batches(rows, rng, shuffle=True):
    """Batches of rows of similar length, as tensors."""
    rows = sorted(rows, key=lambda row: len(row.ids) + (rng.random() * 6 if shuffle else 0))
    groups = [rows[i : i + BATCH] for i in range(0, len(rows), BATCH)]
    if shuffle:
        rng.shuffle(groups)
    for group in groups:
        length = max(len(row.ids) for row in group)

        def pad(name, value):
            return torch.tensor([getattr(r, name) + [value] * (length - len(r.ids)) for r in group])

        mask = torch.tensor([[True] * len(r.ids) + [False] * (length - len(r.ids)) for r in group])
        parts = [(i, part) for i, row in enumerate(group) for part in row.parts]
        owners = torch.full((len(group), length), len(parts))
        for number, (i, part) in enumerate(parts):
            owners[i, part.start : part.end] = number
        yield (
            (
                pad("ids", 1),
                pad("shapes", 0),
                mask,
                (torch.tensor([i for i, _ in parts]), torch.tensor([part.start for _, part in parts]), owners),
            ),
            (pad("tags", IGNORED), pad("states", IGNORED)),
            torch.tensor([part.labels for _, part in parts]),
            torch.tensor([part.store for _, part in parts]),
            torch.tensor([part.type for _, part in parts]),
            group,
        )


def loss_of(outputs, batch):
    _, (tags, states), labels, store, types, _ = batch
    tag, state, keep, label, type_ = outputs
    loss = 2 * functional.cross_entropy(tag.flatten(0, 1), tags.flatten(), ignore_index=IGNORED)
    if (states >= 0).any():
        loss = loss + 0.5 * functional.cross_entropy(state.flatten(0, 1), states.flatten(), ignore_index=IGNORED)
    decided = store >= 0
    if decided.any():
        loss = loss + 0.5 * functional.binary_cross_entropy_with_logits(keep[decided], store[decided].float())
    loss = loss + 3 * functional.binary_cross_entropy_with_logits(
        label, labels, pos_weight=torch.full((len(LABELS),), 4.0))
    if (types >= 0).any():
        loss = loss + 0.3 * functional.cross_entropy(type_, types, ignore_index=IGNORED)
    return loss


def spans_of(tags, probabilities):
    """Decodes tag ids of words to (first word, last word, attribute)."""
    spans = []
    for i, tag in enumerate(tags):
        name = TAGS[tag]
        if name == "O":
            continue
        if name[0] == "I" and spans and spans[-1][1] == i - 1 and spans[-1][2] == name[2:]:
            spans[-1][1] = i
        else:
            spans.append([i, i, name[2:]])
    return {tuple(span) for span in spans}


@torch.no_grad()
def score(model, rows, rng):
    """Precision and recall of spans (attribute, words and state), and of `store`."""
    model.eval()
    right = found = expected = stored = kept = keep_right = 0
    for inputs, (tags, states), _, store, *_ in batches(rows, rng, shuffle=False):
        tag, state, keep, _, _ = model(*inputs)
        owner_rows, _, owners = inputs[-1]
        for number, row in enumerate(owner_rows.tolist()):
            words = (tags[row] != IGNORED) & (owners[row] == number)
            state_i = state[row][words].argmax(-1).tolist()
            gold_state = states[row][words].tolist()
            want = {(*s, gold_state[s[0]]) for s in spans_of(tags[row][words].tolist(), None)}
            worth = torch.sigmoid(keep[number]).item() > 0.5
            have = {(*s, state_i[s[0]]) for s in spans_of(tag[row][words].argmax(-1).tolist(), None)} if worth else set()
            right, found, expected = right + len(want & have), found + len(have), expected + len(want)
            if store[number] >= 0:
                stored += store[number].item()
                kept += worth
                keep_right += worth and store[number].item() == 1
    p, r = right / max(found, 1), right / max(expected, 1)
    return (f"spans P {p:.3f} R {r:.3f} F {2 * p * r / max(p + r, 1e-9):.3f} of {expected}; "
            f"store P {keep_right / max(kept, 1):.3f} R {keep_right / max(stored, 1):.3f}")


@torch.no_grad()
def load(model, path: str) -> None:
    """Reads the weights of an exported tagger."""
    stored = {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
    tensor = lambda name: torch.tensor(stored[name].astype("float32"))
    for i, layer in enumerate(model.trunk.layers):
        for own, name in (("qkv", "qkv"), ("ao", "ao"), ("fi", "fi"), ("fo", "fo")):
            getattr(layer, f"{own}w").copy_(tensor(f"l{i}_{name}_i8") * tensor(f"l{i}_{name}_scale"))
            getattr(layer, f"{own}b").copy_(tensor(f"l{i}_qkvb" if own == "qkv" else f"l{i}_{name}_bias"))
        for norm, name in (("aln", "x1"), ("oln", "x2")):
            getattr(layer, f"{norm}w").copy_(tensor(f"l{i}_{name}_w"))
            getattr(layer, f"{norm}b").copy_(tensor(f"l{i}_{name}_b"))
    for own, name in (("pos", "pos"), ("shapes", "shape_table"), ("elw", "x0_w"), ("elb", "x0_b")):
        getattr(model.trunk, own).copy_(tensor(name))
    for own, name in (("mean", "vector_mean"), ("spread", "vector_spread")):
        getattr(model, own).copy_(tensor(name))
    for own, name in (("tag", "tags"), ("state", "states"), ("store", "store"), ("label", "labels"), ("kind", "types")):
        getattr(model, own).weight.copy_(tensor(f"{name}_head").T)
        getattr(model, own).bias.copy_(tensor(f"{name}_head_bias"))


@torch.no_grad()
def exchange(some, others):
    """Swaps the values of two lists of tensors."""
    for one, other in zip(some, others):
        kept = one.clone()
        one.copy_(other)
        other.copy_(kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=["minilm", "e5"])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--continue", dest="start", help="folder of a tagger to start from, not the embedder")
    parser.add_argument("--teachers", nargs="+", help="folders of taggers to learn from, in addition to the marks")
    parser.add_argument("--old", type=float, default=1, help="share of the other files that an epoch reads")
    parser.add_argument("--new", default="", help="authors of the files that it reads whole, by comma")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(__file__), "../../assets/inference"))
    options = parser.parse_args()
    source = Model(options.model)
    try:
        new = authors_of(options.new)
        folders = by_model(options.teachers or [])
        if options.start:
            check_start(options.start, source.folder)
        elif new:
            raise ValueError("--new has no effect without --continue")
    except (OSError, ValueError) as error:
        parser.error(str(error))
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)

    english_only = options.model == "minilm"
    messages = read_folder("train", english_only, options.old, new)
    checks = read_folder("valid", english_only)
    noise = Noise(rng)
    for message, language, _ in messages:
        for sentence in message:
            noise.learn(sentence, language)
    model = Tagger(Trunk(source, precision=FASTEST))
    optimizer = torch.optim.AdamW([
        {"params": [p for p in model.trunk.parameters() if p.requires_grad], "lr": options.rate},
        {"params": [p for n, p in model.named_parameters() if not n.startswith("trunk")], "lr": 1e-3},
    ], weight_decay=0.01, fused=True)
    rates = [group["lr"] for group in optimizer.param_groups]

    shares = list(itertools.accumulate(share for *_, share in messages))
    claimed = {}
    for message, language, share in messages:
        if len(message) == 1 and message[0].spans:
            claimed.setdefault(language, []).append((message, share))
    claimed = {language: list(zip(*found)) for language, found in claimed.items()}

    questions = {}
    for message, language, _ in messages:
        questions.setdefault(language, []).extend(
            sentence for sentence in message
            if sentence.text.endswith("?") and not sentence.spans and not sentence.store and len(sentence.text) <= QUESTION)

    def any_message():
        """A noisy copy of another message, as likely as it is to be read."""
        (message, language, _), = rng.choices(messages, cum_weights=shares)
        return noise.copy(message, language)

    def copy_of(message, language):
        copies = noise.copy(message, language)
        if len(message) == 1 and message[0].spans and rng.random() < DENSE:
            for _ in range(rng.randrange(1, DENSE_SENTENCES)):
                copies += noise.copy(*rng.choices(*claimed[language]), language)
            rng.shuffle(copies)
            return copies
        if len(message) == 1 and message[0].spans and rng.random() < ASKED:
            return copies + noise.copy([rng.choice(questions[language])], language)
        for i in reversed(range(len(copies))):
            if rng.random() >= JOINED:
                continue
            if i + 1 < len(copies):
                copies[i : i + 2] = [noise.join(*copies[i : i + 2])]
            elif len(copies) == 1:
                copies[i] = noise.join(copies[i], rng.choice(any_message()))
        if rng.random() < EXTENDED:
            words = rng.randrange(EXTENDED_WORDS)
            while sum(len(pieces.words(sentence.text)) for sentence in copies) < words:
                added = any_message()
                copies = rng.choice([added + copies, copies + added])
        return copies

    unmarked, taught = [], None
    if folders:
        taggers = {}
        for name, paths in folders.items():
            theirs = source if name == options.model else Model(name)
            taggers[theirs] = [Tagger(Trunk(theirs, precision=FASTEST)).eval() for _ in paths]
            for tagger, path in zip(taggers[theirs], paths):
                load(tagger, os.path.join(path, "model.onnx"))
                tagger.trunk.words = (model if theirs is source else taggers[theirs][0]).trunk.words
        taught = teachers.Teachers(taggers, rows_of, lambda rows: batches(rows, rng, shuffle=False))
        for path in sorted(glob.glob(os.path.join(DATA, "unmarked", "*.txt"))):
            unmarked += markup.read_unmarked(path)

    def steps_of(copies, marked):
        """
        Returns batches of messages with their language. A batch has either only rows with teachers' means or
        only rows without. Without marks, the latter teach nothing and are left out.
        """
        own = [(rows_of(message, source), message, language) for message, language in copies]
        if taught is not None:
            taught.read(own)
        rows = [row for rows, *_ in own for row in rows]
        steps = [(batch, marked) for batch in batches([row for row in rows if row.means], rng)]
        if marked:
            steps += [(batch, True) for batch in batches([row for row in rows if not row.means], rng)]
        return steps

    def training_loss(batch, marked):
        """The loss of the marks, of the teachers' means, or of both."""
        inputs, (tags, _), *_, rows = batch
        outputs = model(*inputs)
        if rows[0].means is None:
            return loss_of(outputs, batch)
        means = teachers.joined([row.means for row in rows])
        loss = teachers.soft_loss(outputs, means, tags != IGNORED)
        return loss + teachers.MARKS_WEIGHT * loss_of(outputs, batch) if marked else loss

    def epoch_without_marks():
        for message in unmarked:
            if english_only or rng.random() < ENGLISH:
                yield copy_of(message, "en"), "en"

    def epoch():
        for message, language, share in messages:
            if share == 1 or rng.random() < share:
                yield copy_of(message, language), language

    valid = {
        language: [row for message, name, _ in checks if name == language
                   for row in rows_of(message, source)]
        for language in sorted({name for _, name, _ in checks})
    }
    if options.start:
        load(model, os.path.join(options.start, "model.onnx"))
        print("before:", {language: score(model, rows, rng) for language, rows in valid.items()}, flush=True)
    elif options.model == "e5":
        standardize(model, [row for message, *_ in messages for row in rows_of(message, source)], rng)
    trained = [p for p in model.parameters() if p.requires_grad]
    average = [p.detach().clone() for p in trained]
    step, begun = 0, time.time()
    print(f"{len(messages)} messages, {len(checks)} to check with", flush=True)
    for number in range(options.epochs):
        model.train()
        total = 0.0
        steps = steps_of(epoch(), True) + steps_of(epoch_without_marks(), False)
        if unmarked:
            rng.shuffle(steps)
        for i, (batch, marked) in enumerate(steps):
            done = (number + i / len(steps)) / options.epochs
            share = min(1, done / 0.06) * (1 - done)
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * share
            optimizer.zero_grad()
            loss = training_loss(batch, marked)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            with torch.no_grad():
                # Early on, the average follows the weights more closely, or it would keep the first ones.
                torch._foreach_lerp_(average, trained, 1 - min(AVERAGED, (step + 1) / (step + 10)))
            total, step = total + loss.item(), step + 1
        print(f"epoch {number + 1}: {len(steps)} steps, loss {total / len(steps):.3f}, {time.time() - begun:.0f} s", flush=True)
        exchange(trained, average)
        for language, rows in valid.items():
            print(f"  {language}: {score(model, rows, rng)}", flush=True)
        exchange(trained, average)
    exchange(trained, average)
    export.write(model, source, options.out)


if __name__ == "__main__":
    main()
