/** Shared by the derived view tables: memories about a move, and common rows. */

import { deepStrictEqual } from "node:assert/strict";
import { waitUntilDerived } from "../derived_service/views.ts";
import type { Reply, TestServer } from "../../testing/harness.ts";
import type { Expected, Row } from "./table.ts";

/** Ana's homes, in order. */
export const HOMES = ["Lisbon", "Porto"] as const;
/** A query for Ana's home. */
export const SLOT = "user_id=ana&subject=user&attribute=lives_in";

/** Ids of the memories about Ana's homes. */
export interface HomeMemories {
  readonly ids: readonly string[];
}

/** Adds memories: Ana lived in Lisbon from 2020, and has lived in Porto since May 2024. */
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

/** Expects an error about a single field that reveals no data. */
export function refusedField(field: string): Expected {
  return {
    status: 400,
    code: "INVALID_REQUEST",
    hides: HOMES,
    check: ({ json }) =>
      deepStrictEqual(json.details.issues.map((issue: { path: string }) => issue.path), [field]),
  };
}

/** Expects success, with `data` that passes a check. */
export const successData = (check: (data: Reply["json"]) => void): Expected => ({
  status: 200,
  check: ({ json }) => {
    deepStrictEqual(Object.keys(json), ["data"]);
    check(json.data);
  },
});

/** Rows for requests rejected by every view of a slot. */
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
