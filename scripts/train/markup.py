"""The mark-up of training messages (training/inference/README.md), and its check.

    python scripts/train/markup.py FILE...    reports lines that don't follow the format
"""

import dataclasses
import re
import sys

ATTRIBUTES = frozenset(
    """
    address age allergic_to avoids birthday breed browser child children colleague condition
    database decision degree diet dislikes editor email employment favorite framework friend from
    goal grandparent habit handle hobby identity job_title learning likes lived_in lives_in
    marital_status medication name nationality native_language nickname os owns parent partner pet
    phone plan prefers programming_language pronouns relative religion shell sibling siblings
    speaks species spouse studied_at studies studies_at timezone todo uses website worked_at
    works_at
    """.split()
)
"""Attributes that the tagger knows. `favorite_X` and `decision_X` are stored under their stem."""

CLOSED = {
    "marital_status": "single engaged married separated divorced widowed".split(),
    "employment": ["employed", "unemployed", "self-employed", "freelance", "retired", "student",
                   "parental leave"],
    "diet": ["vegetarian", "vegan", "pescatarian", "keto", "halal", "kosher", "gluten-free"],
}
"""Attributes whose values can be implied by a sentence without standing in it."""

TYPES = "fact identity preference goal todo event decision observation".split()
"""Memory types, in the order of the type head."""

HOLDS, ENDED, OTHER, OTHER_ENDED = range(4)
"""States of a span: it holds for the user, has ended for the user, and the same of somebody else."""


@dataclasses.dataclass
class Span:
    """Words of a sentence that are the value of a claim. Offsets are in characters."""

    start: int
    end: int
    attribute: str
    state: int
    value: str | None = None
    subject: str | None = None
    topic: str | None = None


@dataclasses.dataclass
class Sentence:
    """A sentence with its claims.

    `store` is 1 when it must be stored, 0 when it must not, and -1 when either is fine. `labels`
    are claims without words of their own: (attribute, ended, value).
    """

    text: str
    spans: list[Span]
    labels: list[tuple[str, bool, str]]
    store: int
    type: str | None


def stem(name: str) -> tuple[str, str | None]:
    """Splits `favorite_color` into `favorite` and `color`. The same for `decision_X`."""
    head, _, topic = name.partition("_")
    return (head, topic) if head in ("favorite", "decision") and topic else (name, None)


SPAN = re.compile(r"\{([!@]*)(\w+)(?:>([^:={}]+))?(?:=([^:{}]*))?:([^{}]*)\}")
TAIL = re.compile(r"\s*#(\w+)(!?=)([^#]+)$")


def parse_sentence(source: str) -> Sentence:
    """Parses one sentence. Raises ValueError with a reason."""
    line, store, type_, labels = source.strip(), 0, None, []
    if line[:1] in "+?" and line[:1]:
        store, line = (1 if line[0] == "+" else -1), line[1:].strip()
    while match := TAIL.search(line):
        name, op, value = match.group(1), match.group(2), match.group(3).strip()
        line = line[: match.start()]
        if name == "type":
            if value not in TYPES:
                raise ValueError(f"unknown type {value}")
            type_ = value
        elif stem(name)[0] not in ATTRIBUTES:
            raise ValueError(f"unknown attribute {name}")
        else:
            labels.append((name, op == "!=", value))
    text, spans, position = "", [], 0
    for match in SPAN.finditer(line):
        flags, name, subject, value, words = match.groups()
        attribute, topic = stem(name)
        if attribute not in ATTRIBUTES:
            raise ValueError(f"unknown attribute {name}")
        if not words.strip():
            raise ValueError(f"span without words: {match.group()}")
        text += line[position : match.start()]
        ended, other = "!" in flags, subject is not None or "@" in flags
        state = (OTHER_ENDED if ended else OTHER) if other else (ENDED if ended else HOLDS)
        spans.append(Span(len(text), len(text) + len(words), attribute, state, value, subject, topic))
        text += words
        position = match.end()
    text += line[position:]
    if re.search(r"[{}]", text):
        raise ValueError(f"unbalanced braces: {text}")
    if not text.strip():
        raise ValueError("empty sentence")
    if spans or labels:
        store = 1
    return Sentence(text, spans, labels, store, type_)


def parse(line: str) -> list[Sentence]:
    """Parses one message."""
    return [parse_sentence(part) for part in line.split("||")]


def read(path: str) -> list[list[Sentence]]:
    """Reads the messages of a file."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    return [parse(line) for line in lines if line.strip() and not line.startswith("#")]


def read_unmarked(path: str) -> list[list[Sentence]]:
    """Reads messages that no one has marked, one on each line. That no sentence is worth storing means nothing."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [[Sentence(text, [], [], 0, None) for text in re.split(r"(?<=[.!?…])\s+", line)]
            for line in lines if line and not line.startswith("#")]


def check(path: str) -> int:
    """Prints faults and a summary of a file. Returns the number of faults."""
    faults, messages, empty, spans, seen = 0, 0, 0, 0, set()
    counts: dict[str, int] = {}
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("# "):
            continue
        if line in seen:
            faults += 1
            print(f"{path}:{number}: repeated")
        seen.add(line)
        try:
            sentences = parse(line)
        except ValueError as error:
            faults += 1
            print(f"{path}:{number}: {error}")
            continue
        messages += 1
        empty += all(sentence.store == 0 for sentence in sentences)
        for sentence in sentences:
            spans += len(sentence.spans)
            for name in [s.attribute for s in sentence.spans] + [l[0] for l in sentence.labels]:
                counts[name] = counts.get(name, 0) + 1
    top = ", ".join(f"{k} {v}" for k, v in sorted(counts.items(), key=lambda kv: -kv[1]))
    print(f"{path}: {messages} messages, {empty} empty, {spans} spans, {faults} faults\n  {top}")
    return faults


if __name__ == "__main__":
    sys.exit(1 if sum(check(path) for path in sys.argv[1:]) else 0)
