"""Training rows: messages as words with tags, and noisy copies of them."""

import dataclasses
import random
import re

import pieces
from markup import ATTRIBUTES, CLOSED, ENDED, HOLDS, TYPES, Sentence, Span

TAGS = ["O"] + [prefix + name for name in sorted(ATTRIBUTES) for prefix in ("B-", "I-")]
LABELS = [f"{name}{op}{value}" for name in CLOSED for value in CLOSED[name] for op in ("=", "!=")]
TAG_IDS = {tag: i for i, tag in enumerate(TAGS)}
LABEL_IDS = {label: i for i, label in enumerate(LABELS)}
IGNORED = -100
"""Index that losses skip (torch's `ignore_index`)."""


def labels_of(sentence: Sentence) -> set[str]:
    """Closed values that the sentence asserts or ends for the user, with words or without."""
    found = {f"{name}{'!=' if ended else '='}{value.lower()}" for name, ended, value in sentence.labels}
    for span in sentence.spans:
        if span.attribute in CLOSED and span.state in (HOLDS, ENDED):
            words = sentence.text[span.start : span.end]
            op = "!=" if span.state == ENDED else "="
            found.add(f"{span.attribute}{op}{(span.value or words).lower()}")
    return found & LABEL_IDS.keys()


@dataclasses.dataclass
class Part:
    """A sentence of a row: its special token, the end of its tokens, and what is decided about it."""

    start: int
    end: int
    labels: list[float]
    store: int
    type: int


@dataclasses.dataclass
class Row:
    """
    Encoded consecutive sentences, each behind a special token. `tags`, `states`: per token, IGNORED
    except at the start of a word. `means`: the teachers' probabilities (teachers.Means), if any.
    """

    ids: list[int]
    shapes: list[int]
    tags: list[int]
    states: list[int]
    parts: list[Part]
    means: tuple | None = None


def encode(sentences: list[Sentence], tokenizer, limit: int) -> list[Row]:
    """
    Encodes a message as rows of at most `limit` tokens. If there is room, a row begins with the last
    sentence of the one before, which isn't a part of it (src/inference/tagger/windows.ts does the same).
    """
    rows, row, previous = [], None, None
    for sentence in sentences:
        tokens = _tokens(sentence, tokenizer, limit - 2)
        if row is None or len(row.ids) + len(tokens[0]) + 2 > limit:
            row = Row([], [], [], [], [])
            rows.append(row)
            if previous and len(previous[0]) + len(tokens[0]) + 3 <= limit:
                ids, shapes, tags, states = previous
                unmarked = [IGNORED] * len(ids)
                _append(row, tokenizer, ids, shapes, unmarked, unmarked)
        start = len(row.ids)
        _append(row, tokenizer, *tokens)
        found = labels_of(sentence)
        row.parts.append(Part(
            start,
            len(row.ids),
            [1.0 if label in found else 0.0 for label in LABELS],
            sentence.store,
            TYPES.index(sentence.type) if sentence.type else IGNORED,
        ))
        previous = tokens
    for row in rows:
        row.ids.append(tokenizer.last)
        row.shapes.append(0)
        row.tags.append(IGNORED)
        row.states.append(IGNORED)
        row.parts[-1].end += 1
    return rows


def _append(row: Row, tokenizer, ids, shapes, tags, states) -> None:
    row.ids += [tokenizer.last if row.ids else tokenizer.first] + ids
    row.shapes += [0] + shapes
    row.tags += [IGNORED] + tags
    row.states += [IGNORED] + states


def _tokens(sentence: Sentence, tokenizer, limit: int):
    """Returns ids, shapes, tags and states of a sentence's tokens, at most `limit`."""
    ids, shapes, tags, states = [], [], [], []
    text, previous, begun = sentence.text, -1, set()
    # A sentence of which either decision is fine can have values that aren't marked.
    unmarked = IGNORED if sentence.store == -1 else 0
    for start, end in pieces.words(text):
        word = tokenizer.pieces(text[start:end], start != previous)
        previous = end
        if not word:
            continue
        if len(ids) + len(word) > limit:
            break
        tag, state = unmarked, IGNORED
        for i, span in enumerate(sentence.spans):
            if start < span.end and end > span.start:
                tag = TAG_IDS[("I-" if i in begun else "B-") + span.attribute]
                state = span.state
                begun.add(i)
        ids += word
        shapes += [pieces.shape(text[start:end])] * len(word)
        tags += [tag] + [IGNORED] * (len(word) - 1)
        states += [state] + [IGNORED] * (len(word) - 1)
    return ids, shapes, tags, states


SLOTS = {
    name: group
    for group in (
        "name spouse partner child sibling parent grandparent relative friend colleague",
        "lives_in lived_in from",
        "works_at worked_at",
        "studies_at studied_at",
        "speaks native_language learning",
        "likes dislikes avoids",
        "uses",
        "job_title",
        "owns",
        "hobby",
        "allergic_to",
        "medication",
        "condition",
        "pet",
    )
    for name in group.split()
}
"""Attributes whose values may replace each other in a noisy copy, by group."""

INVENTED = {
    name
    for name in (
        "name nickname spouse partner child sibling parent grandparent relative friend colleague "
        "pet lives_in lived_in from works_at worked_at studies_at studied_at uses handle"
    ).split()
}
"""Attributes with proper names as values, which can be words that no training message has."""

STARTS = "b br ch d dr f fl g gr h j k kl l m n p pr r s sh st sv t th tr v w y z".split()
MIDDLES = "a e i o u ai ea ie ou".split()
ENDS = "b ck d l ld ll m n nd ng nt r rd rn s ss st t th v x z".split()

FILLERS = "btw |ok so |lol |hey, |tbh |fyi: |so |well, |oh and |hi! |ugh |honestly |sry, |yeah |and ".split("|")
TAILS = " lol| haha|!!| :)| btw| tbh|...| fwiw| 😅| so yeah|, just so you know".split("|")


class Noise:
    """Makes noisy copies: other values in the spans, fillers, typos, missing punctuation."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.values: dict[tuple[str, str], list[str]] = {}

    def learn(self, sentence: Sentence, language: str) -> None:
        """Collects the values of a sentence for later copies in the same language."""
        for span in sentence.spans:
            if span.attribute in SLOTS and span.value is None:
                key = (language, SLOTS[span.attribute])
                self.values.setdefault(key, []).append(sentence.text[span.start : span.end])

    def copy(self, message: list[Sentence], language: str) -> list[Sentence]:
        """Returns a noisy copy of a message, with the same new values in all sentences."""
        values = self._other_values(message, language) if self.rng.random() < 0.45 else {}
        lower = self.rng.random() < 0.15
        return [self._copy(self._with_values(sentence, values), language, lower) for sentence in message]

    def _copy(self, sentence: Sentence, language: str, lower: bool) -> Sentence:
        rng = self.rng
        text, spans = sentence.text, [dataclasses.replace(span) for span in sentence.spans]

        def replace(start: int, end: int, words: str) -> None:
            nonlocal text
            if any(start < s.end and end > s.start for s in spans):
                return
            text = text[:start] + words + text[end:]
            for s in spans:
                if s.start >= end:
                    s.start += len(words) - (end - start)
                    s.end += len(words) - (end - start)

        if rng.random() < 0.12:
            found = list(re.finditer(r"[^\W\d_]{4,}", text))
            if found:
                match = rng.choice(found)
                word, i = match.group(), rng.randrange(1, len(match.group()) - 1)
                replace(*match.span(), rng.choice([
                    word[:i] + word[i + 1] + word[i] + word[i + 2 :],
                    word[:i] + word[i + 1 :],
                    word[:i] + word[i] + word[i:],
                ]))
        if rng.random() < 0.08:
            for match in reversed(list(re.finditer("'", text))):
                replace(*match.span(), "")
        if rng.random() < 0.2 and (match := re.search(r"[.!]+\s*$", text)):
            replace(*match.span(), rng.choice(["", "", "!", "..."]))
        if language == "en":
            if rng.random() < 0.08:
                replace(0, 0, rng.choice(FILLERS))
            if rng.random() < 0.05 and not text.endswith("?"):
                replace(len(text), len(text), rng.choice(TAILS))
        if lower and len(text.lower()) == len(text):
            text = text.lower()
        return dataclasses.replace(sentence, text=text, spans=spans)

    def _other_values(self, message: list[Sentence], language: str) -> dict[tuple[str, str], str]:
        """Chooses values in place of those of a message, by attribute and words."""
        values = {}
        for sentence in message:
            for span in sentence.spans:
                words = sentence.text[span.start : span.end]
                known = self.values.get((language, SLOTS.get(span.attribute, "")), [])
                if span.value is not None or (span.attribute, words) in values:
                    continue
                if span.attribute in INVENTED and self.rng.random() < 0.25:
                    values[span.attribute, words] = self._invented(words)
                elif known and self.rng.random() < 0.6:
                    other = self.rng.choice(known)
                    if words[0].islower() == other[0].islower():
                        values[span.attribute, words] = other
                    elif words.islower():
                        values[span.attribute, words] = other.lower()
        return values

    def _with_values(self, sentence: Sentence, values: dict[tuple[str, str], str]) -> Sentence:
        """Puts values into a sentence, and new names in place of the old ones around them."""
        names = {old: new for (attribute, old), new in values.items() if attribute in INVENTED and old[0].isupper()}

        def renamed(text: str) -> str:
            return re.sub(r"[^\W_]+", lambda match: names.get(match.group(), match.group()), text) if names else text

        text, spans, position = "", [], 0
        for span in sorted(sentence.spans, key=lambda s: s.start):
            if span.start < position:
                continue
            words = sentence.text[span.start : span.end]
            if span.value is None:
                words = values.get((span.attribute, words), words)
            text += renamed(sentence.text[position : span.start])
            spans.append(dataclasses.replace(span, start=len(text), end=len(text) + len(words)))
            text += words
            position = span.end
        return dataclasses.replace(sentence, text=text + renamed(sentence.text[position:]), spans=spans)

    def _invented(self, words: str) -> str:
        """A made-up name with the capitals of `words`. It teaches to read the words around it."""
        rng = self.rng
        name = "".join(
            rng.choice(STARTS) + rng.choice(MIDDLES) for _ in range(rng.choice([1, 1, 2]))
        ) + rng.choice(ENDS)
        return name if words[0].islower() else name.capitalize()

    def join(self, first: Sentence, second: Sentence) -> Sentence:
        """Two sentences as one, as when no punctuation parts them."""
        separator = " " if re.search(r"[.!?…]\s*$", first.text) else self.rng.choice([" ", ", ", " - ", "\n"])
        shift = len(first.text) + len(separator)
        moved = [dataclasses.replace(s, start=s.start + shift, end=s.end + shift) for s in second.spans]
        store = max(first.store, second.store) if -1 not in (first.store, second.store) else (
            1 if 1 in (first.store, second.store) else -1)
        return Sentence(
            first.text + separator + second.text, first.spans + moved, first.labels + second.labels, store, None)
