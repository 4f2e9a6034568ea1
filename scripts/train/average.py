"""Writes the mean of the weights of several taggers that were trained from the same one.

    python scripts/train/average.py minilm|e5 FOLDER... --out FOLDER

It often reads as well as the best of them, and varies less (Wortsman et al. 2022, "Model soups").
"""

import argparse
import os

import torch

import export
from options import check_start
from train import Tagger, load
from trunk import Model, Trunk


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=["minilm", "e5"])
    parser.add_argument("folders", nargs="+", help="folders of taggers")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    if len(options.folders) < 2:
        parser.error("expected at least two folders")
    source = Model(options.model)
    model = Tagger(Trunk(source))
    states = []
    try:
        for folder in options.folders:
            check_start(folder, source.folder)
            load(model, os.path.join(folder, "model.onnx"))
            states.append({name: weights.clone() for name, weights in model.state_dict().items()})
    except (OSError, ValueError) as error:
        parser.error(str(error))
    model.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    export.write(model, source, options.out)


if __name__ == "__main__":
    main()
