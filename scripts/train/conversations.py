"""Reads training/search: numbered passages, and queries with the numbers of the relevant ones."""

import dataclasses
import re

PASSAGE = re.compile(r"(\d+) ([^:]+): (.+)")
QUERY = re.compile(r"\? (.+) = (\d+(?:, *\d+)*)")


@dataclasses.dataclass
class Collection:
    """A conversation or another set of passages, and queries with the indexes of their relevant passages."""

    passages: list[str]
    queries: list[tuple[str, list[int]]]


def read(path: str) -> list[Collection]:
    """Reads a file. Raises ValueError with the line that has another format or an unknown number."""
    collections, numbers = [], {}
    with open(path, encoding="utf-8") as file:
        for at, line in enumerate(map(str.strip, file), 1):
            if line.startswith("# "):
                collections.append(Collection([], []))
                numbers = {}
            elif match := QUERY.fullmatch(line):
                try:
                    relevant = [numbers[int(number)] for number in match[2].split(",")]
                except KeyError as error:
                    raise ValueError(f"{path}:{at}: there is no passage {error}") from error
                collections[-1].queries.append((match[1], sorted(set(relevant))))
            elif match := PASSAGE.fullmatch(line):
                numbers[int(match[1])] = len(collections[-1].passages)
                speaker = "" if match[2] == "-" else f"{match[2]}: "
                collections[-1].passages.append(speaker + match[3])
            elif line and not line.startswith("## "):
                raise ValueError(f"{path}:{at}: neither a passage nor a query")
    return collections
