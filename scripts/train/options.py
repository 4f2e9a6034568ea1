"""Checks the options of train.py and average.py before anything is computed."""

import glob
import json
import os

import markup
from rows import LABELS, TAGS

TRUNKS = {"minilm": "all-minilm-l6-v2-int8", "e5": "multilingual-e5-small-int8"}
"""Folder of each model in assets/embedding."""

DATA = os.path.join(os.path.dirname(__file__), "../../training/inference")


def authors_of(names: str) -> frozenset[str]:
    """Parses `--new`. Raises ValueError if no training file has one of the authors."""
    known = {os.path.basename(path).removesuffix(".txt").split("-")[0]
             for path in glob.glob(os.path.join(DATA, "train", "*.txt"))}
    authors = frozenset(name.strip() for name in names.split(",") if name.strip())
    if unknown := authors - known:
        raise ValueError(f"no training file by {', '.join(sorted(unknown))}; authors: {', '.join(sorted(known))}")
    return authors


def check_start(folder: str, trunk: str) -> None:
    """Raises ValueError if the tagger in a folder has another trunk or other outputs."""
    if (found := _trunk_of(folder)) != trunk:
        raise ValueError(f"{folder} was trained on {found}, not on {trunk}")


def by_model(folders: list[str]) -> dict[str, list[str]]:
    """Groups taggers' folders by their model. Raises ValueError if one has another model or other outputs."""
    names = {trunk: name for name, trunk in TRUNKS.items()}
    found: dict[str, list[str]] = {}
    for folder in folders:
        if (trunk := _trunk_of(folder)) not in names:
            raise ValueError(f"{folder} was trained on {trunk}, which isn't a trunk of {', '.join(TRUNKS)}")
        found.setdefault(names[trunk], []).append(folder)
    return found


def _trunk_of(folder: str) -> str:
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    for name, own in (("tags", TAGS), ("labels", LABELS), ("types", markup.TYPES)):
        if config[name] != own:
            raise ValueError(f"the {name} of {folder} are not those of scripts/train")
    return config["trunk"]
