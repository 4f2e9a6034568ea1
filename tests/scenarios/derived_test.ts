/** State, beliefs and profile: who may ask, every field, and what a malformed request is told. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { followed } from "../derived_service/views.ts";
import { type Reply, type TestServer, withServer } from "../harness.ts";
import { endpointTable, type Expected, type Row } from "./table.ts";

const WHERE = ["Lisbon", "Porto"] as const;
const SLOT = "user_id=ana&subject=user&attribute=lives_in";

interface Told {
  readonly ids: readonly string[];
}

/** Ana lived in Lisbon from 2020 on, and lives in Porto since May 2024. */
async function twoHomes(server: TestServer): Promise<Told> {
  const add = (text: string, event_date: string) =>
    server.add(text, { user_id: "ana", run_id: `run-${event_date}`, event_date });
  const ids = [
    await add(`I live in ${WHERE[0]}.`, "2020-01-01"),
    await add(`I live in ${WHERE[1]}.`, "2024-05-01"),
  ];
  await followed(server);
  return { ids };
}

const get = (path: string) => () => ({ method: "GET", path: `/v1/${path}` });

function refused(field: string): Expected {
  return {
    status: 400,
    code: "INVALID_REQUEST",
    hides: WHERE,
    also: ({ json }) =>
      deepStrictEqual(json.details.issues.map((issue: { path: string }) => issue.path), [field]),
  };
}

const data = (check: (data: Reply["json"]) => void): Expected => ({
  status: 200,
  also: ({ json }) => {
    deepStrictEqual(Object.keys(json), ["data"]);
    check(json.data);
  },
});

/** What every view of a slot refuses. */
const slotRefusals = (path: string): Row<Told>[] => [
  {
    when: "no scope",
    request: get(`${path}?subject=user&attribute=lives_in`),
    ...refused("user_id"),
  },
  {
    when: "an empty scope",
    request: get(`${path}?user_id=%20&subject=user&attribute=lives_in`),
    ...refused("user_id"),
  },
  {
    when: "no subject",
    request: get(`${path}?user_id=ana&attribute=lives_in`),
    ...refused("subject"),
  },
  {
    when: "an empty subject",
    request: get(`${path}?user_id=ana&subject=&attribute=lives_in`),
    ...refused("subject"),
  },
  {
    when: "no attribute",
    request: get(`${path}?user_id=ana&subject=user`),
    ...refused("attribute"),
  },
  {
    when: "a subject of 257 characters",
    request: get(`${path}?user_id=ana&subject=${"x".repeat(257)}&attribute=lives_in`),
    ...refused("subject"),
  },
];

const stateRecord = (ids: readonly string[], home: 0 | 1) => (record: Reply["json"]) => {
  const { id, superseded_by, ...fields } = record;
  match(id, /^state_/);
  if (home === 1) strictEqual(superseded_by, null);
  else match(superseded_by, /^state_/);
  deepStrictEqual(fields, {
    subject: "user",
    attribute: "lives_in",
    value: WHERE[home],
    valid_from: ["2020-01-01T00:00:00.000Z", "2024-05-01T00:00:00.000Z"][home],
    valid_to: home === 0 ? "2024-05-01T00:00:00.000Z" : null,
    source_ids: [ids[home]],
  });
};

const instants: readonly (readonly [as_of: string, home: 0 | 1 | null])[] = [
  ["2019-12-31", null],
  ["2020-01-01", 0],
  ["2024-04-30T23:59:59.999Z", 0],
  ["2024-05-01T00:00:00Z", 1],
  ["2024-05-01T01:00:00%2B02:00", 0],
];

endpointTable<Told>("GET /v1/state", {
  permission: "memory:read",
  prepare: twoHomes,
  content: WHERE,
  request: get(`state?${SLOT}`),
  owner: {
    status: 200,
    shows: ['"value":"Porto"', '"source_ids":["mem_'],
    hides: ["Lisbon", "memory_id", "subject_key", '"origin"'],
  },
  stranger: { status: 200, shows: ['{"data":null}'] },
  rows: [
    {
      when: "every field of the value that holds",
      request: get(`state?${SLOT}`),
      status: 200,
      also: ({ json }) =>
        deepStrictEqual(Object.keys(json.data).sort(), [
          "attribute",
          "id",
          "source_ids",
          "subject",
          "superseded_by",
          "valid_from",
          "valid_to",
          "value",
        ]),
    },
    ...instants.map(([as_of, home]): Row<Told> => ({
      when: `as of ${as_of}`,
      request: get(`state?${SLOT}&as_of=${as_of}`),
      ...data((record) => strictEqual(record?.value ?? null, home === null ? null : WHERE[home])),
    })),
    {
      when: "another user knows nothing of it",
      request: get("state?user_id=bo&subject=user&attribute=lives_in"),
      ...data((record) => strictEqual(record, null)),
    },
    {
      when: "two scopes, of which both must own the memory",
      request: get(`state?${SLOT}&run_id=run-2020-01-01`),
      ...data((record) => strictEqual(record.value, "Lisbon")),
    },
    {
      when: "the subject in capitals",
      request: get("state?user_id=ana&subject=USER&attribute=lives_in"),
      ...data((record) => strictEqual(record.value, "Porto")),
    },
    ...slotRefusals("state"),
    ...["soon", "2024-13-01", ""].map((as_of): Row<Told> => ({
      when: `as_of "${as_of}"`,
      request: get(`state?${SLOT}&as_of=${as_of}`),
      ...refused("as_of"),
    })),
  ],
});

endpointTable<Told>("GET /v1/state/history", {
  permission: "memory:read",
  prepare: twoHomes,
  content: WHERE,
  request: get(`state/history?${SLOT}`),
  owner: { status: 200, shows: WHERE, hides: ["memory_id", "subject_key"] },
  stranger: { status: 200, shows: ['{"data":[]}'] },
  rows: [
    {
      when: "oldest first, each ended by the next",
      request: get(`state/history?${SLOT}`),
      ...data((records) => {
        deepStrictEqual(records.map(({ value }: { value: string }) => value), WHERE);
        strictEqual(records[0].superseded_by, records[1].id);
        strictEqual(records[0].valid_to, records[1].valid_from);
      }),
    },
    {
      when: "up to an instant",
      request: get(`state/history?${SLOT}&as_of=2022-01-01`),
      ...data((records) => strictEqual(records.length, 1)),
    },
    {
      when: "what nobody claimed",
      request: get("state/history?user_id=ana&subject=user&attribute=owns"),
      ...data((records) => deepStrictEqual(records, [])),
    },
    ...slotRefusals("state/history"),
    {
      when: 'as_of "soon"',
      request: get(`state/history?${SLOT}&as_of=soon`),
      ...refused("as_of"),
    },
  ],
});

Deno.test("a state record has the fields of the contract and no more, in every place", async () => {
  await withServer(async (server) => {
    const { ids } = await twoHomes(server);
    const read = async (path: string) => (await server.call("GET", `/v1/${path}`)).json.data;
    stateRecord(ids, 1)(await read(`state?${SLOT}`));
    stateRecord(ids, 0)(await read(`state?${SLOT}&as_of=2022-01-01`));
    const [first, second] = await read(`state/history?${SLOT}`);
    stateRecord(ids, 0)(first);
    stateRecord(ids, 1)(second);
  });
});

endpointTable<Told>("GET /v1/beliefs", {
  permission: "memory:read",
  prepare: twoHomes,
  content: WHERE,
  request: get(`beliefs?${SLOT}`),
  owner: {
    status: 200,
    shows: ['"projection_status":"ready"', ...WHERE],
    hides: ["mem_", "belief_ev_", "subject_key"],
  },
  stranger: { status: 200, shows: ['"winner":null,"candidates":[]'] },
  rows: [
    {
      when: "every field of the view and of a candidate",
      request: get(`beliefs?${SLOT}&view=audit`),
      ...data((view) => {
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
      when: "the default view hides what is not settled",
      request: get(`beliefs?${SLOT}&view=default`),
      ...data(({ winner, candidates, unresolved }) =>
        deepStrictEqual([winner, candidates, unresolved], [null, [], true])
      ),
      hides: WHERE.map((town) => `"value":"${town}"`),
    },
    {
      when: "before anything was known",
      request: get(`beliefs?${SLOT}&at=2019-01-01`),
      ...data(({ winner, unresolved }) => deepStrictEqual([winner, unresolved], [null, false])),
    },
    ...["project", "task", "conversation", "channel", "custom"].map((kind): Row<Told> => ({
      when: `an applicability of kind ${kind}`,
      request: get(`beliefs?${SLOT}&applicability_kind=${kind}&applicability_key=k1`),
      ...data(({ applicability }) => deepStrictEqual(applicability, { kind, key: "k1" })),
    })),
    {
      when: "the key of the global applicability, which has none, is ignored",
      request: get(`beliefs?${SLOT}&applicability_kind=global&applicability_key=k1`),
      ...data(({ applicability }) => deepStrictEqual(applicability, { kind: "global", key: null })),
    },
    {
      when: "every applicability, for an audit",
      request: get(`beliefs?${SLOT}&view=audit&all_applicability=true`),
      status: 200,
      shows: ["belief_ev_"],
    },
    ...slotRefusals("beliefs"),
    { when: "a view that isn't one", request: get(`beliefs?${SLOT}&view=all`), ...refused("view") },
    {
      when: "a kind that isn't one",
      request: get(`beliefs?${SLOT}&applicability_kind=planet`),
      ...refused("applicability_kind"),
    },
    {
      when: "a kind without its key",
      request: get(`beliefs?${SLOT}&applicability_kind=task`),
      ...refused("applicability_key"),
    },
    { when: 'at "soon"', request: get(`beliefs?${SLOT}&at=soon`), ...refused("at") },
    {
      when: "every applicability outside an audit",
      request: get(`beliefs?${SLOT}&all_applicability=true`),
      ...refused("all_applicability"),
    },
    {
      when: "all_applicability that is neither true nor false",
      request: get(`beliefs?${SLOT}&view=audit&all_applicability=perhaps`),
      ...refused("all_applicability"),
    },
  ],
});

endpointTable<Told>("GET /v1/profile", {
  permission: "memory:read",
  prepare: twoHomes,
  content: WHERE,
  request: get("profile?user_id=ana"),
  owner: { status: 200, shows: ["Home and work", "Porto"], hides: ["Lisbon", "mem_"] },
  stranger: { status: 200, shows: ['{"data":null}'] },
  rows: [
    {
      when: "without a query one text",
      request: get("profile?user_id=ana"),
      ...data((text) => strictEqual(typeof text, "string")),
    },
    {
      when: "with a query sections",
      request: get("profile?user_id=ana&query=home"),
      ...data((sections) => {
        deepStrictEqual(Object.keys(sections[0]).sort(), ["content", "id", "score", "title"]);
        strictEqual(sections[0].title, "Home and work");
      }),
    },
    {
      when: "of a user whom nobody has told of, with a query",
      request: get("profile?user_id=bo&query=home"),
      ...data((sections) => deepStrictEqual(sections, [])),
    },
    { when: "a limit of 20", request: get("profile?user_id=ana&query=home&limit=20"), status: 200 },
    { when: "no scope", request: get("profile?query=home"), ...refused("user_id") },
    { when: "an empty query", request: get("profile?user_id=ana&query="), ...refused("query") },
    ...["0", "21", "1.5", "many"].map((limit): Row<Told> => ({
      when: `limit ${limit}`,
      request: get(`profile?user_id=ana&query=home&limit=${limit}`),
      ...refused("limit"),
    })),
  ],
});

for (
  const [path, parameters] of [
    ["state", SLOT],
    ["state/history", SLOT],
    ["beliefs", SLOT],
    ["profile", "user_id=ana"],
  ] as const
) {
  endpointTable<Told>(`GET /v1/${path} with derivation switched off`, {
    permission: "memory:read",
    prepare: async (server) => {
      const told = await twoHomes(server);
      await server.manage("projects", "derivation", "default", "off");
      return told;
    },
    content: WHERE,
    request: get(`${path}?${parameters}`),
    owner: path === "beliefs"
      ? { status: 200, shows: ['"projection_status":"disabled"'], hides: WHERE }
      : { status: 409, code: "DERIVATION_DISABLED", hides: WHERE },
    stranger: { status: 200 },
  });
}
