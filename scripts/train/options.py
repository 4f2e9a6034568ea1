"""Checks the options of train.py and average.py before anything is computed."""

import glob
import json
import os

import markup
from rows import LABELS, TAGS

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
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    if config["trunk"] != trunk:
        raise ValueError(f"{folder} was trained on {config['trunk']}, not on {trunk}")
    for name, own in (("tags", TAGS), ("labels", LABELS), ("types", markup.TYPES)):
        if config[name] != own:
            raise ValueError(f"the {name} of {folder} are not those of scripts/train")
