/** Tests the input that is sent to a model. */

import { strictEqual } from "node:assert/strict";
import { formatInput } from "../../src/inference/openai/prompt.ts";

Deno.test("formatInput() shows the date of a message that was sent on another day", () => {
  const message = { speaker: "User", text: "I moved\nto Porto." };
  const input = formatInput("2026-05-20T10:00:00.000Z", [
    { ...message, source: 0, date: "2026-05-20T08:00:00.000Z" },
    { ...message, source: 1, date: "2026-03-02T00:00:00.000Z" },
    { ...message, source: 2, date: null },
  ]);
  strictEqual(
    input,
    "Date: 2026-05-20\n[0] User: I moved to Porto.\n[1] (2026-03-02) User: I moved to Porto.\n" +
      "[2] User: I moved to Porto.",
  );
});
