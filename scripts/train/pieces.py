"""The tokenizers of src/embedding, word by word.

A sentence is first split into words: runs of letters and digits, and single other characters. Each
word is split into pieces on its own, so a word's tags are those of its first piece. The inference
threads do the same (src/inference/tagger/tokens.ts).
"""

import re
import struct
import unicodedata

WORD = re.compile(r"[^\W_]+|[^\w\s]|_")

IDEOGRAPH = re.compile(
    "[\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f]"
)


def words(text: str) -> list[tuple[int, int]]:
    """Returns the start and end of each word, in characters."""
    return [match.span() for match in WORD.finditer(text)]


def shape(word: str) -> int:
    """The word's spelling, which an uncased tokenizer loses. See SHAPES in tokens.ts.

    0 lower case or no letters, 1 capitalized, 2 capitals, 3 with digits, 4 mixed ("iPhone").
    """
    if any(c.isdecimal() for c in word):
        return 3
    if word.upper() == word.lower() or word == word.lower():
        return 0
    if len(word) > 1 and word == word.upper():
        return 2
    return 1 if word[0] != word[0].lower() and word[1:] == word[1:].lower() else 4


class WordPiece:
    """BERT's uncased tokenizer (src/embedding/wordpiece.ts)."""

    first, last = 101, 102

    def __init__(self, path: str):
        with open(path, encoding="utf-8") as file:
            self.ids = {piece: i for i, piece in enumerate(file.read().rstrip("\n").split("\n"))}
        self.cache: dict[str, list[int]] = {}

    def pieces(self, word: str, _space: bool) -> list[int]:
        if word not in self.cache:
            self.cache[word] = self._split(word)
        return self.cache[word]

    def _split(self, word: str) -> list[int]:
        return [i for part in IDEOGRAPH.sub(r" \g<0> ", word).split() for i in self._split_part(part)]

    def _split_part(self, word: str) -> list[int]:
        plain = unicodedata.normalize("NFD", word)
        plain = "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cc", "Cf", "Co", "Cn"))
        plain = plain.replace("Σ", "σ").lower()
        if not plain:
            return []
        if len(plain) > 100:
            return [self.ids["[UNK]"]]
        ids, start = [], 0
        while start < len(plain):
            end = len(plain)
            while end > start and (("##" if start else "") + plain[start:end]) not in self.ids:
                end -= 1
            if end == start:
                return [self.ids["[UNK]"]]
            ids.append(self.ids[("##" if start else "") + plain[start:end]])
            start = end
        return ids


class Unigram:
    """SentencePiece's unigram tokenizer (src/embedding/unigram.ts)."""

    first, last = 0, 2
    unknown = 3

    def __init__(self, path: str):
        data = open(path, "rb").read()
        count, _, entries, size = struct.unpack_from("<4I", data)
        self.scores = struct.unpack_from(f"<{count}f", data, 16)
        table, at = 16 + 4 * count, 16 + 4 * count
        self.characters = {}
        for _ in range(entries):
            character, length = struct.unpack_from("<2I", data, at)
            codes = struct.unpack_from(f"<{length}I", data, at + 8)
            self.characters[chr(character)] = "".join(map(chr, codes))
            at += 8 + 4 * length
        pieces = data[table + size :].decode("utf-8").split("\n")[:count]
        self.ids = {piece: i for i, piece in enumerate(pieces)}
        self.longest = max(map(len, pieces))
        self.penalty = min(self.scores) - 10
        self.cache: dict[str, list[int]] = {}

    def pieces(self, word: str, space: bool) -> list[int]:
        key = ("▁" if space else "") + word
        if key not in self.cache:
            text = unicodedata.normalize("NFC", word)
            text = "".join(self.characters.get(c, c) for c in text).strip()
            self.cache[key] = self._split(("▁" if space else "") + text) if text else []
        return self.cache[key]

    def _split(self, word: str) -> list[int]:
        best = [(0.0, 0, 0)] + [(float("-inf"), 0, 0)] * len(word)
        for start in range(len(word)):
            single = False
            for end in range(start + 1, min(len(word), start + self.longest) + 1):
                piece = self.ids.get(word[start:end])
                if piece is None:
                    continue
                single |= end == start + 1
                score = best[start][0] + self.scores[piece]
                if score > best[end][0]:
                    best[end] = (score, start, piece)
            score = best[start][0] + self.penalty
            if not single and score > best[start + 1][0]:
                best[start + 1] = (score, start, self.unknown)
        ids, end = [], len(word)
        while end > 0:
            _, start, piece = best[end]
            if piece != self.unknown or not ids or ids[-1] != self.unknown:
                ids.append(piece)
            end = start
        return ids[::-1]
