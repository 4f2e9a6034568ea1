/** Tests state and its history: access, fields, and errors for malformed requests. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type Reply, withServer } from "../../testing/harness.ts";
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

const stateRecord = (ids: readonly string[], home: 0 | 1) => (record: Reply["json"]) => {
  const { id, superseded_by, ...fields } = record;
  match(id, /^state_/);
  if (home === 1) strictEqual(superseded_by, null);
  else match(superseded_by, /^state_/);
  deepStrictEqual(fields, {
    subject: "user",
    attribute: "lives_in",
    value: HOMES[home],
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

endpointTable<HomeMemories>("GET /v1/state", {
  permission: "memory:read",
  prepare: addTwoHomes,
  content: HOMES,
  request: get(`state?${SLOT}`),
  owner: {
    status: 200,
    shows: ['"value":"Porto"', '"source_ids":["mem_'],
    hides: ["Lisbon", "memory_id", "subject_key", '"origin"'],
  },
  stranger: { status: 200, shows: ['{"data":null}'] },
  rows: [
    {
      when: "returns all fields of the current value",
      request: get(`state?${SLOT}`),
      status: 200,
      check: ({ json }) =>
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
    ...instants.map(([as_of, home]): Row<HomeMemories> => ({
      when: `as of ${as_of}`,
      request: get(`state?${SLOT}&as_of=${as_of}`),
      ...successData((record) =>
        strictEqual(record?.value ?? null, home === null ? null : HOMES[home])
      ),
    })),
    {
      when: "another user has no value",
      request: get("state?user_id=bo&subject=user&attribute=lives_in"),
      ...successData((record) => strictEqual(record, null)),
    },
    {
      when: "two scopes that must both match",
      request: get(`state?${SLOT}&run_id=run-2020-01-01`),
      ...successData((record) => strictEqual(record.value, "Lisbon")),
    },
    {
      when: "the subject in capitals",
      request: get("state?user_id=ana&subject=USER&attribute=lives_in"),
      ...successData((record) => strictEqual(record.value, "Porto")),
    },
    ...slotRefusals("state"),
    ...["soon", "2024-13-01", ""].map((as_of): Row<HomeMemories> => ({
      when: `as_of "${as_of}"`,
      request: get(`state?${SLOT}&as_of=${as_of}`),
      ...refusedField("as_of"),
    })),
  ],
});

endpointTable<HomeMemories>("GET /v1/state/history", {
  permission: "memory:read",
  prepare: addTwoHomes,
  content: HOMES,
  request: get(`state/history?${SLOT}`),
  owner: { status: 200, shows: HOMES, hides: ["memory_id", "subject_key"] },
  stranger: { status: 200, shows: ['{"data":[]}'] },
  rows: [
    {
      when: "returns values from oldest to newest, each ended by the next",
      request: get(`state/history?${SLOT}`),
      ...successData((records) => {
        deepStrictEqual(records.map(({ value }: { value: string }) => value), HOMES);
        strictEqual(records[0].superseded_by, records[1].id);
        strictEqual(records[0].valid_to, records[1].valid_from);
      }),
    },
    {
      when: "up to an instant",
      request: get(`state/history?${SLOT}&as_of=2022-01-01`),
      ...successData((records) => strictEqual(records.length, 1)),
    },
    {
      when: "an attribute without statements",
      request: get("state/history?user_id=ana&subject=user&attribute=owns"),
      ...successData((records) => deepStrictEqual(records, [])),
    },
    ...slotRefusals("state/history"),
    {
      when: 'as_of "soon"',
      request: get(`state/history?${SLOT}&as_of=soon`),
      ...refusedField("as_of"),
    },
  ],
});

Deno.test("GET /v1/state and GET /v1/state/history return exactly the fields in the contract", async () => {
  await withServer(async (server) => {
    const { ids } = await addTwoHomes(server);
    const read = async (path: string) => (await server.call("GET", `/v1/${path}`)).json.data;
    stateRecord(ids, 1)(await read(`state?${SLOT}`));
    stateRecord(ids, 0)(await read(`state?${SLOT}&as_of=2022-01-01`));
    const [first, second] = await read(`state/history?${SLOT}`);
    stateRecord(ids, 0)(first);
    stateRecord(ids, 1)(second);
  });
});
