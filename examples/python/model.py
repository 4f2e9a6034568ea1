"""Calls a model behind any API that is compatible with OpenAI's chat completions."""

from __future__ import annotations

import os

import httpx

URL = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
KEY = os.environ.get("OPENAI_API_KEY")
MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")


def complete(instructions: str, message: str) -> str:
    """Returns the model's reply to a message."""
    response = httpx.post(
        f"{URL}/chat/completions",
        headers={"authorization": f"Bearer {KEY}"} if KEY else {},
        json={
            "model": MODEL,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": message},
            ],
        },
        timeout=120,
    )
    response.raise_for_status()
    return str(response.json()["choices"][0]["message"]["content"])
