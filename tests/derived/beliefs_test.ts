/**
 * Tests for the belief rules: one test per rule, plus properties that hold for arbitrary evidence.
 */
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
const requestWith = (more: Partial<BeliefRequest> = {}): BeliefRequest => ({
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
  beliefView(evidence, requestWith(more)).winner?.value ?? null;

const TABLE: readonly (readonly [string, Evidence[], Partial<BeliefRequest>, string | null])[] = [
  ["supports a value with three keys in three contexts", rows("Helix", 3), {}, "Helix"],
  ["doesn't support a value with two keys", rows("Helix", 2), {}, null],
  [
    "doesn't support a value with three keys in two contexts",
    [...rows("Helix", 2), row("Helix", "h3", { context_id: "run-Helix-global-0" })],
    {},
    null,
  ],
  [
    "counts rows with the same key only once",
    [
      row("Helix", "k", { context_id: "a" }),
      row("Helix", "k", { context_id: "b" }),
      row("Helix", "k", { context_id: "c" }),
    ],
    {},
    null,
  ],
  [
    "doesn't support a value with less than 0.6 of the weight",
    [...rows("Helix", 4, { weight: 1.1 }), ...rows("Zed", 3)],
    {},
    null,
  ],
  [
    "supports a value with 0.6 of the weight and a lead of 1",
    [...rows("Helix", 3), ...rows("Zed", 2)],
    {},
    "Helix",
  ],
  [
    "doesn't support a value with a lead below 1",
    [...rows("Helix", 3, { weight: 0.5 }), ...rows("Zed", 1, { weight: 0.6 })],
    {},
    null,
  ],
  [
    "quarantines a key that claims two active values",
    [...rows("Helix", 2), row("Helix", "both"), row("Zed", "both")],
    {},
    null,
  ],
  [
    "doesn't quarantine a key whose other value has ended",
    [
      ...rows("Helix", 2),
      row("Helix", "both"),
      row("Zed", "both", { valid_to: "2026-02-01T00:00:00.000Z" }),
    ],
    {},
    "Helix",
  ],
  [
    "ignores competing evidence from a different validity window",
    [
      ...rows("Zed", 3, { valid_to: "2026-02-01T00:00:00.000Z" }),
      ...rows("Helix", 3, { valid_from: "2026-02-01T00:00:00.000Z" }),
    ],
    {},
    "Helix",
  ],
  [
    "evaluates the past with the evidence that was active then",
    [
      ...rows("Zed", 3, { valid_to: "2026-02-01T00:00:00.000Z" }),
      ...rows("Helix", 3, { valid_from: "2026-02-01T00:00:00.000Z" }),
    ],
    { at: "2026-01-15T00:00:00.000Z" },
    "Zed",
  ],
  [
    "ignores competing evidence with a different applicability",
    [...rows("Helix", 3), ...rows("Zed", 3, { applicability: PROJECT })],
    {},
    "Helix",
  ],
  [
    "prefers a supported candidate from the requested context",
    [...rows("Helix", 3), ...rows("Zed", 3, { applicability: PROJECT })],
    { applicability: PROJECT },
    "Zed",
  ],
  ["falls back to the global candidate if the context has no evidence", rows("Helix", 3), {
    applicability: PROJECT,
  }, "Helix"],
  [
    "falls back to the global candidate if the evidence for the context has expired",
    [
      ...rows("Helix", 3),
      ...rows("Zed", 2, { applicability: PROJECT, valid_to: "2026-02-01T00:00:00.000Z" }),
    ],
    { applicability: PROJECT },
    "Helix",
  ],
  [
    "doesn't fall back if the context has active evidence for a different value",
    [...rows("Helix", 3), ...rows("Zed", 1, { applicability: PROJECT })],
    { applicability: PROJECT },
    null,
  ],
  [
    "falls back if the context has active evidence for the global value",
    [...rows("Helix", 3), ...rows("Helix", 1, { applicability: PROJECT })],
    { applicability: PROJECT },
    "Helix",
  ],
  [
    "ignores evidence from deleted memories",
    [...rows("Helix", 2), row("Helix", "gone", { active: false })],
    {},
    null,
  ],
];
for (const [rule, evidence, more, expected] of TABLE) {
  Deno.test(`beliefView() ${rule}`, () => assert.equal(winner(evidence, more), expected));
}

Deno.test("beliefView() returns only a supported winner in the default view", () => {
  const contested = beliefView(rows("Helix", 2), requestWith({ view: "default" }));
  assert.deepEqual([contested.winner, contested.candidates, contested.unresolved], [
    null,
    [],
    true,
  ]);
  assert.equal(beliefView(rows("Helix", 3), requestWith({ view: "default" })).candidates.length, 1);
});

Deno.test("beliefView() returns active candidates without evidence rows in the conflict view", () => {
  const view = beliefView([
    ...rows("Helix", 2),
    ...rows("Zed", 1),
    ...rows("Vim", 1, { active: false }),
  ], requestWith({ view: "conflict" }));
  assert.deepEqual(
    view.candidates.map((belief) => [belief.value, belief.status, belief.evidence.length]),
    [[
      "Helix",
      "contested",
      0,
    ], ["Zed", "contested", 0]],
  );
});

Deno.test("beliefView() adds inactive evidence, source ids and reason codes in the audit view", () => {
  const view = beliefView(
    [...rows("Helix", 3), ...rows("Vim", 1, { active: false })],
    requestWith(),
  );
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

Deno.test("beliefView() returns candidates of every applicability only in the audit view", () => {
  const evidence = [...rows("Helix", 3), ...rows("Zed", 1, { applicability: PROJECT })];
  assert.equal(beliefView(evidence, requestWith({ allApplicability: true })).candidates.length, 2);
  assert.equal(
    beliefView(evidence, requestWith({ allApplicability: true, view: "conflict" })).candidates
      .length,
    1,
  );
});

Deno.test("beliefView() compares the winner with the current state", () => {
  const shadow = (state: string | null, count = 3) =>
    beliefView(rows("Helix", count), requestWith({ state })).shadow.outcome;
  assert.equal(shadow("helix"), "agreement");
  assert.equal(shadow("Zed"), "disagreement");
  assert.equal(shadow(null), "no_state");
  assert.equal(shadow("Helix", 2), "no_winner");
});

Deno.test("disabledBeliefView() returns a view without beliefs", () => {
  const view = disabledBeliefView(requestWith());
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
const applicability = fc.constantFrom<Applicability>(GLOBAL, PROJECT, {
  kind: APPLICABILITY_KINDS[2],
  key: "t1",
});
const evidence = fc.array(
  fc.record({
    value: fc.constantFrom("Helix", "Zed", "Vim"),
    evidence_key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    context_id: fc.constantFrom("1", "2", "3", "4"),
    applicability,
    observed_at: day,
    valid_from: fc.option(day, { nil: null }),
    valid_to: fc.option(day, { nil: null }),
    weight: fc.constantFrom(0.3, 0.5, 1, 2),
    active: fc.boolean(),
  }),
  { maxLength: 24 },
).map((list) =>
  list.map((row, i): Evidence => ({ ...row, id: `belief_ev_${i}`, source_id: `mem_${i}` }))
);
const at = day;

Deno.test("beliefView() doesn't depend on the order of the evidence", () => {
  fc.assert(fc.property(evidence, applicability, at, (list, applicability, at) => {
    const request = requestWith({ applicability, at });
    assert.deepEqual(beliefView([...list].reverse(), request), beliefView(list, request));
  }));
});

Deno.test("beliefView() returns only winners that satisfy the policy", () => {
  fc.assert(fc.property(evidence, applicability, at, (list, applicability, at) => {
    const winner = beliefView(list, requestWith({ applicability, at })).winner;
    if (!winner) return;
    assert.ok(
      winner.evidence_count >= 3 && winner.context_count >= 3 && winner.support >= 0.6 &&
        winner.status === "supported",
    );
    assert.ok(winner.support <= 1 && winner.score > 0);
  }));
});

Deno.test("beliefView() ignores evidence with a duplicate key when it decides", () => {
  fc.assert(fc.property(evidence, applicability, at, fc.nat(), (list, applicability, at, pick) => {
    const original = list[pick % Math.max(1, list.length)];
    if (!original) return;
    const request = requestWith({ applicability, at });
    const before = beliefView(list, request),
      after = beliefView([...list, { ...original, id: "belief_ev_z" }], request);
    assert.equal(after.winner?.id, before.winner?.id);
    assert.equal(after.winner?.score, before.winner?.score);
    assert.equal(after.unresolved, before.unresolved);
  }));
});

Deno.test("beliefView() ignores inactive evidence when it decides", () => {
  fc.assert(fc.property(evidence, applicability, at, (list, applicability, at) => {
    const request = requestWith({ applicability, at });
    assert.equal(
      beliefView(list.filter(({ active }) => active), request).winner?.value,
      beliefView(list, request).winner?.value,
    );
  }));
});

Deno.test("beliefView() returns at most the winner in the default view and no evidence in the conflict view", () => {
  fc.assert(fc.property(evidence, applicability, at, (list, applicability, at) => {
    const plain = beliefView(list, requestWith({ applicability, at, view: "default" }));
    assert.deepEqual(plain.candidates, plain.winner ? [plain.winner] : []);
    const conflict = beliefView(list, requestWith({ applicability, at, view: "conflict" }));
    assert.ok(
      conflict.candidates.every(({ status, evidence, source_ids }) =>
        status !== "superseded" && !evidence.length && !source_ids.length
      ),
    );
  }));
});
