import { expand, singular, splitFront, withoutAdverbs } from "../../src/inference/builtin/canon.ts";
import { frame, withSubject } from "../../src/inference/builtin/rewrite.ts";
import { clauses } from "../../src/inference/builtin/clauses.ts";
import { gate } from "../../src/inference/builtin/gates.ts";
import { sentences } from "../../src/inference/builtin/sentences.ts";
import { ownWords } from "../../src/inference/builtin/guards.ts";
import { statements } from "../../src/inference/builtin/statements.ts";
import { factsOf } from "../../src/inference/builtin/engine.ts";
for (const t of Deno.args) {
  console.log("==", t, "| own:", ownWords(t));
  for (const s of sentences(ownWords(t))) {
    const c = withSubject(singular(expand(s.text)));
    console.log(
      " S",
      s.text,
      "| gate",
      gate(s.text, s.question, true),
      "| c:",
      c,
      "| front",
      splitFront(c),
    );
    for (const k of clauses(c)) console.log("   C", k, "| frame:", frame(withoutAdverbs(k.body)));
    for (
      const st of statements(
        s.text,
        [],
        { subject: "user", display: "User", other: null },
        Date.parse("2026-03-18T09:00:00Z"),
      )
    ) console.log("   ST", st.text, st.type, JSON.stringify(st.drafts));
  }
  console.log(
    factsOf({
      messages: [{ role: "user", content: t }],
      eventDate: null,
      requestTime: "2026-03-18T09:00:00.000Z",
    }).map((f) =>
      [f.memory, f.memory_type, f.event_date, f.valid_from, JSON.stringify(f.claims)].join(" | ")
    ),
  );
}
