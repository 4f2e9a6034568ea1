/** What the tables of the derived views share: a move from one home to another, and who sees what. */

import { deepStrictEqual } from "node:assert/strict";
import { waitUntilDerived } from "../derived_service/views.ts";
import type { Reply, TestServer } from "../../testing/harness.ts";
import type { Expected, Row } from "./table.ts";

/** Her homes, in their order. */
export const HOMES = ["Lisbon", "Porto"] as const;
/** Where she lives, as a query. */
export const SLOT = "user_id=ana&subject=user&attribute=lives_in";

/** What the tables know of what was told. */
export interface HomeMemories {
  readonly ids: readonly string[];
}

/** Ana lived in Lisbon from 2020 on, and lives in Porto since May 2024. */
export async function addTwoHomes(server: TestServer): Promise<HomeMemories> {
  const add = (text: string, event_date: string) =>
    server.add(text, { user_id: "ana", run_id: `run-${event_date}`, event_date });
  const ids = [
    await add(`I live in ${HOMES[0]}.`, "2020-01-01"),
    await add(`I live in ${HOMES[1]}.`, "2024-05-01"),
  ];
  await waitUntilDerived(server);
  return { ids };
}

export const get = (path: string) => () => ({ method: "GET", path: `/v1/${path}` });

/** A refusal of one field, which tells nothing of what is known. */
export function refusedField(field: string): Expected {
  return {
    status: 400,
    code: "INVALID_REQUEST",
    hides: HOMES,
    also: ({ json }) =>
      deepStrictEqual(json.details.issues.map((issue: { path: string }) => issue.path), [field]),
  };
}

/** A success whose `data` passes the check. */
export const successData = (check: (data: Reply["json"]) => void): Expected => ({
  status: 200,
  also: ({ json }) => {
    deepStrictEqual(Object.keys(json), ["data"]);
    check(json.data);
  },
});

/** What every view of a slot refuses. */
export const slotRefusals = (path: string): Row<HomeMemories>[] => [
  {
    when: "no scope",
    request: get(`${path}?subject=user&attribute=lives_in`),
    ...refusedField("user_id"),
  },
  {
    when: "an empty scope",
    request: get(`${path}?user_id=%20&subject=user&attribute=lives_in`),
    ...refusedField("user_id"),
  },
  {
    when: "no subject",
    request: get(`${path}?user_id=ana&attribute=lives_in`),
    ...refusedField("subject"),
  },
  {
    when: "an empty subject",
    request: get(`${path}?user_id=ana&subject=&attribute=lives_in`),
    ...refusedField("subject"),
  },
  {
    when: "no attribute",
    request: get(`${path}?user_id=ana&subject=user`),
    ...refusedField("attribute"),
  },
  {
    when: "a subject of 257 characters",
    request: get(`${path}?user_id=ana&subject=${"x".repeat(257)}&attribute=lives_in`),
    ...refusedField("subject"),
  },
];
