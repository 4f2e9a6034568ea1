/** Tests GET /v1/beliefs: access, the fields in each view, and errors for malformed requests. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { endpointTable, type Row } from "./table.ts";
import {
  addTwoHomes,
  get,
  type HomeMemories,
  HOMES,
  refusedField,
  SLOT,
  slotRefusals,
  successData,
} from "./two_homes.ts";

endpointTable<HomeMemories>("GET /v1/beliefs", {
  permission: "memory:read",
  prepare: addTwoHomes,
  content: HOMES,
  request: get(`beliefs?${SLOT}`),
  owner: {
    status: 200,
    shows: ['"projection_status":"ready"', ...HOMES],
    hides: ["mem_", "belief_ev_", "subject_key"],
  },
  stranger: { status: 200, shows: ['"winner":null,"candidates":[]'] },
  rows: [
    {
      when: "returns all fields of the view and of a candidate",
      request: get(`beliefs?${SLOT}&view=audit`),
      ...successData((view) => {
        deepStrictEqual(Object.keys(view).sort(), [
          "applicability",
          "attribute",
          "candidates",
          "mode",
          "projection_status",
          "reason_codes",
          "shadow",
          "subject",
          "unresolved",
          "winner",
        ]);
        deepStrictEqual(view.applicability, { kind: "global", key: null });
        deepStrictEqual(Object.keys(view.shadow).sort(), ["outcome", "state", "winner_id"]);
        strictEqual(view.shadow.state, "Porto");
        const [candidate] = view.candidates;
        deepStrictEqual(Object.keys(candidate).sort(), [
          "applicability",
          "attribute",
          "context_count",
          "evidence",
          "evidence_count",
          "first_observed_at",
          "id",
          "last_observed_at",
          "reason_codes",
          "score",
          "source_ids",
          "status",
          "subject",
          "superseded_by",
          "support",
          "value",
        ]);
        deepStrictEqual(Object.keys(candidate.evidence[0]).sort(), [
          "active",
          "applicability",
          "context_id",
          "evidence_key",
          "id",
          "observed_at",
          "source_id",
          "valid_from",
          "valid_to",
          "weight",
        ]);
        match(candidate.id, /^belief_/);
        match(candidate.evidence[0].id, /^belief_ev_/);
      }),
    },
    {
      when: "the default view omits contested beliefs",
      request: get(`beliefs?${SLOT}&view=default`),
      ...successData(({ winner, candidates, unresolved }) =>
        deepStrictEqual([winner, candidates, unresolved], [null, [], true])
      ),
      hides: HOMES.map((town) => `"value":"${town}"`),
    },
    {
      when: "before the first statement",
      request: get(`beliefs?${SLOT}&at=2019-01-01`),
      ...successData(({ winner, unresolved }) =>
        deepStrictEqual([winner, unresolved], [null, false])
      ),
    },
    ...["project", "task", "conversation", "channel", "custom"].map((kind): Row<HomeMemories> => ({
      when: `an applicability of kind ${kind}`,
      request: get(`beliefs?${SLOT}&applicability_kind=${kind}&applicability_key=k1`),
      ...successData(({ applicability }) => deepStrictEqual(applicability, { kind, key: "k1" })),
    })),
    {
      when: "ignores a key for the global applicability",
      request: get(`beliefs?${SLOT}&applicability_kind=global&applicability_key=k1`),
      ...successData(({ applicability }) =>
        deepStrictEqual(applicability, { kind: "global", key: null })
      ),
    },
    {
      when: "all applicabilities in the audit view",
      request: get(`beliefs?${SLOT}&view=audit&all_applicability=true`),
      status: 200,
      shows: ["belief_ev_"],
    },
    ...slotRefusals("beliefs"),
    {
      when: "an unknown view",
      request: get(`beliefs?${SLOT}&view=all`),
      ...refusedField("view"),
    },
    {
      when: "an unknown kind",
      request: get(`beliefs?${SLOT}&applicability_kind=planet`),
      ...refusedField("applicability_kind"),
    },
    {
      when: "a kind without its key",
      request: get(`beliefs?${SLOT}&applicability_kind=task`),
      ...refusedField("applicability_key"),
    },
    { when: 'at "soon"', request: get(`beliefs?${SLOT}&at=soon`), ...refusedField("at") },
    {
      when: "all applicabilities outside of the audit view",
      request: get(`beliefs?${SLOT}&all_applicability=true`),
      ...refusedField("all_applicability"),
    },
    {
      when: "all_applicability that is neither true nor false",
      request: get(`beliefs?${SLOT}&view=audit&all_applicability=perhaps`),
      ...refusedField("all_applicability"),
    },
  ],
});
