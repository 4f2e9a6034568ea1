/** The belief rules of the interface, one test each, and what holds for any evidence. */
import assert from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import {
  type Applicability,
  APPLICABILITY_KINDS,
  type Evidence,
} from "../../src/derived/beliefs/evidence.ts";
import { DEFAULT_POLICY } from "../../src/derived/beliefs/policy.ts";
import {
  type BeliefRequest,
  beliefView,
  disabledBeliefView,
} from "../../src/derived/beliefs/view.ts";

const NOW = "2026-03-18T09:00:00.000Z";
const GLOBAL: Applicability = { kind: "global", key: null };
const PROJECT: Applicability = { kind: "project", key: "apollo" };

let serial = 0;
const row = (value: string, key: string, more: Partial<Evidence> = {}): Evidence => ({
  id: `belief_ev_${String(serial++).padStart(4, "0")}`,
  source_id: `mem_${key}`,
  value,
  evidence_key: key,
  context_id: `run-${key}`,
  applicability: GLOBAL,
  observed_at: "2026-01-01T00:00:00.000Z",
  valid_from: null,
  valid_to: null,
  weight: 1,
  active: true,
  ...more,
});
const rows = (value: string, count: number, more: Partial<Evidence> = {}): Evidence[] =>
  Array.from(
    { length: count },
    (_, i) => row(value, `${value}-${more.applicability?.kind ?? "global"}-${i}`, more),
  );
const ask = (more: Partial<BeliefRequest> = {}): BeliefRequest => ({
  subject: "user",
  attribute: "editor",
  applicability: GLOBAL,
  at: NOW,
  policy: DEFAULT_POLICY,
  view: "audit",
  mode: "enforced",
  allApplicability: false,
  state: null,
  comparable: (value) => value.toLowerCase(),
  identify: (parts) => `belief_${parts.join("|")}`,
  ...more,
});
const winner = (evidence: readonly Evidence[], more: Partial<BeliefRequest> = {}) =>
  beliefView(evidence, ask(more)).winner?.value ?? null;

const TABLE: readonly (readonly [string, Evidence[], Partial<BeliefRequest>, string | null])[] = [
  ["three keys in three contexts are believed", rows("Helix", 3), {}, "Helix"],
  ["two keys are not", rows("Helix", 2), {}, null],
  [
    "three keys in two contexts are not",
    [...rows("Helix", 2), row("Helix", "h3", { context_id: "run-Helix-global-0" })],
    {},
    null,
  ],
  [
    "echoes of one key count once",
    [
      row("Helix", "k", { context_id: "a" }),
      row("Helix", "k", { context_id: "b" }),
      row("Helix", "k", { context_id: "c" }),
    ],
    {},
    null,
  ],
  [
    "less than 0.6 of the weight is not enough",
    [...rows("Helix", 4, { weight: 1.1 }), ...rows("Zed", 3)],
    {},
    null,
  ],
  ["0.6 of the weight with a lead of 1 is", [...rows("Helix", 3), ...rows("Zed", 2)], {}, "Helix"],
  [
    "a lead below 1 is not enough",
    [...rows("Helix", 3, { weight: 0.5 }), ...rows("Zed", 1, { weight: 0.6 })],
    {},
    null,
  ],
  [
    "a key that claims two active values is quarantined",
    [...rows("Helix", 2), row("Helix", "both"), row("Zed", "both")],
    {},
    null,
  ],
  [
    "a key whose other value has ended is not",
    [
      ...rows("Helix", 2),
      row("Helix", "both"),
      row("Zed", "both", { valid_to: "2026-02-01T00:00:00.000Z" }),
    ],
    {},
    "Helix",
  ],
  [
    "validity windows that don't overlap don't compete",
    [
      ...rows("Zed", 3, { valid_to: "2026-02-01T00:00:00.000Z" }),
      ...rows("Helix", 3, { valid_from: "2026-02-01T00:00:00.000Z" }),
    ],
    {},
    "Helix",
  ],
  [
    "the past is judged by what held then",
    [
      ...rows("Zed", 3, { valid_to: "2026-02-01T00:00:00.000Z" }),
      ...rows("Helix", 3, { valid_from: "2026-02-01T00:00:00.000Z" }),
    ],
    { at: "2026-01-15T00:00:00.000Z" },
    "Zed",
  ],
  [
    "another applicability does not compete",
    [...rows("Helix", 3), ...rows("Zed", 3, { applicability: PROJECT })],
    {},
    "Helix",
  ],
  [
    "a supported contextual candidate wins in its context",
    [...rows("Helix", 3), ...rows("Zed", 3, { applicability: PROJECT })],
    { applicability: PROJECT },
    "Zed",
  ],
  ["absent contextual evidence falls back to the global candidate", rows("Helix", 3), {
    applicability: PROJECT,
  }, "Helix"],
  [
    "expired contextual evidence does too",
    [
      ...rows("Helix", 3),
      ...rows("Zed", 2, { applicability: PROJECT, valid_to: "2026-02-01T00:00:00.000Z" }),
    ],
    { applicability: PROJECT },
    "Helix",
  ],
  [
    "an active contextual conflict blocks the fallback",
    [...rows("Helix", 3), ...rows("Zed", 1, { applicability: PROJECT })],
    { applicability: PROJECT },
    null,
  ],
  [
    "contextual evidence for the global value does not",
    [...rows("Helix", 3), ...rows("Helix", 1, { applicability: PROJECT })],
    { applicability: PROJECT },
    "Helix",
  ],
  [
    "evidence of deleted memories does not count",
    [...rows("Helix", 2), row("Helix", "gone", { active: false })],
    {},
    null,
  ],
];
for (const [rule, evidence, more, expected] of TABLE) {
  Deno.test(`beliefs: ${rule}`, () => assert.equal(winner(evidence, more), expected));
}

Deno.test("beliefs: default shows a supported winner and hides unresolved candidates", () => {
  const contested = beliefView(rows("Helix", 2), ask({ view: "default" }));
  assert.deepEqual([contested.winner, contested.candidates, contested.unresolved], [
    null,
    [],
    true,
  ]);
  assert.equal(beliefView(rows("Helix", 3), ask({ view: "default" })).candidates.length, 1);
});

Deno.test("beliefs: conflict shows active candidates without evidence rows", () => {
  const view = beliefView([
    ...rows("Helix", 2),
    ...rows("Zed", 1),
    ...rows("Vim", 1, { active: false }),
  ], ask({ view: "conflict" }));
  assert.deepEqual(view.candidates.map((one) => [one.value, one.status, one.evidence.length]), [[
    "Helix",
    "contested",
    0,
  ], ["Zed", "contested", 0]]);
});

Deno.test("beliefs: audit adds inactive evidence, source ids and reason codes", () => {
  const view = beliefView([...rows("Helix", 3), ...rows("Vim", 1, { active: false })], ask());
  const [helix, vim] = view.candidates;
  assert.deepEqual([vim?.status, vim?.superseded_by, vim?.evidence[0]?.active], [
    "superseded",
    helix?.id,
    false,
  ]);
  assert.deepEqual(helix?.reason_codes, ["policy_met"]);
  assert.equal(helix?.source_ids.length, 3);
  assert.deepEqual([helix?.evidence_count, helix?.context_count, helix?.score, helix?.support], [
    3,
    3,
    3,
    1,
  ]);
});

Deno.test("beliefs: only an audit may look at every applicability", () => {
  const evidence = [...rows("Helix", 3), ...rows("Zed", 1, { applicability: PROJECT })];
  assert.equal(beliefView(evidence, ask({ allApplicability: true })).candidates.length, 2);
  assert.equal(
    beliefView(evidence, ask({ allApplicability: true, view: "conflict" })).candidates.length,
    1,
  );
});

Deno.test("beliefs: the shadow compares with the state in force", () => {
  const shadow = (state: string | null, count = 3) =>
    beliefView(rows("Helix", count), ask({ state })).shadow.outcome;
  assert.equal(shadow("helix"), "agreement");
  assert.equal(shadow("Zed"), "disagreement");
  assert.equal(shadow(null), "no_state");
  assert.equal(shadow("Helix", 2), "no_winner");
});

Deno.test("beliefs: a disabled projection is a normal answer that believes nothing", () => {
  const view = disabledBeliefView(ask());
  assert.deepEqual([view.projection_status, view.winner, view.candidates, view.unresolved], [
    "disabled",
    null,
    [],
    false,
  ]);
});

const day = fc.integer({ min: 1, max: 28 }).map((n) =>
  `2026-02-${String(n).padStart(2, "0")}T00:00:00.000Z`
);
const place = fc.constantFrom<Applicability>(GLOBAL, PROJECT, {
  kind: APPLICABILITY_KINDS[2],
  key: "t1",
});
const evidence = fc.array(
  fc.record({
    value: fc.constantFrom("Helix", "Zed", "Vim"),
    evidence_key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    context_id: fc.constantFrom("1", "2", "3", "4"),
    applicability: place,
    observed_at: day,
    valid_from: fc.option(day, { nil: null }),
    valid_to: fc.option(day, { nil: null }),
    weight: fc.constantFrom(0.3, 0.5, 1, 2),
    active: fc.boolean(),
  }),
  { maxLength: 24 },
).map((list) =>
  list.map((one, i): Evidence => ({ ...one, id: `belief_ev_${i}`, source_id: `mem_${i}` }))
);
const at = day;

Deno.test("beliefs: the order of the evidence never matters", () => {
  fc.assert(fc.property(evidence, place, at, (list, applicability, at) => {
    const request = ask({ applicability, at });
    assert.deepEqual(beliefView([...list].reverse(), request), beliefView(list, request));
  }));
});

Deno.test("beliefs: whatever wins meets the policy", () => {
  fc.assert(fc.property(evidence, place, at, (list, applicability, at) => {
    const won = beliefView(list, ask({ applicability, at })).winner;
    if (!won) return;
    assert.ok(
      won.evidence_count >= 3 && won.context_count >= 3 && won.support >= 0.6 &&
        won.status === "supported",
    );
    assert.ok(won.support <= 1 && won.score > 0);
  }));
});

Deno.test("beliefs: an echo changes no decision", () => {
  fc.assert(fc.property(evidence, place, at, fc.nat(), (list, applicability, at, pick) => {
    const echoed = list[pick % Math.max(1, list.length)];
    if (!echoed) return;
    const request = ask({ applicability, at });
    const before = beliefView(list, request),
      after = beliefView([...list, { ...echoed, id: "belief_ev_z" }], request);
    assert.equal(after.winner?.id, before.winner?.id);
    assert.equal(after.winner?.score, before.winner?.score);
    assert.equal(after.unresolved, before.unresolved);
  }));
});

Deno.test("beliefs: inactive evidence never makes or breaks a winner", () => {
  fc.assert(fc.property(evidence, place, at, (list, applicability, at) => {
    const request = ask({ applicability, at });
    assert.equal(
      beliefView(list.filter((one) => one.active), request).winner?.value,
      beliefView(list, request).winner?.value,
    );
  }));
});

Deno.test("beliefs: default never shows more than its winner, conflict never shows evidence", () => {
  fc.assert(fc.property(evidence, place, at, (list, applicability, at) => {
    const plain = beliefView(list, ask({ applicability, at, view: "default" }));
    assert.deepEqual(plain.candidates, plain.winner ? [plain.winner] : []);
    const conflict = beliefView(list, ask({ applicability, at, view: "conflict" }));
    assert.ok(
      conflict.candidates.every((one) =>
        one.status !== "superseded" && !one.evidence.length && !one.source_ids.length
      ),
    );
  }));
});
