/** Tests for short replies to questions of the assistant. */
import assert from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";

for (
  const [question, reply, claim] of [
    ["Where are you from?", "Porto.", "from=Porto"],
    ["Where do you work?", "Siemens.", "works_at=Siemens"],
    ["What do you do?", "Nurse.", "job_title=Nurse"],
    ["What's your favorite color?", "Teal.", "favorite_color=Teal"],
    ["Which editor do you use?", "Vim.", "editor=Vim"],
  ] as const
) {
  Deno.test(`factsOf() reads the reply "${reply}" to "${question}"`, async () => {
    const facts = await factsOf({
      messages: [{ role: "assistant", content: question }, { role: "user", content: reply }],
      eventDate: null,
      requestTime: "2026-03-18T09:00:00.000Z",
    });
    const claims = facts.flatMap((fact) => fact.claims ?? []);
    assert.deepEqual(claims.map(({ attribute, value }) => `${attribute}=${value}`), [claim]);
  });
}
