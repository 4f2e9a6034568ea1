/** Tests GET /v1/profile: access, both forms of the response, and errors for malformed requests. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { endpointTable, type Row } from "./table.ts";
import {
  addTwoHomes,
  get,
  type HomeMemories,
  HOMES,
  refusedField,
  successData,
} from "./two_homes.ts";

endpointTable<HomeMemories>("GET /v1/profile", {
  permission: "memory:read",
  prepare: addTwoHomes,
  content: HOMES,
  request: get("profile?user_id=ana"),
  owner: { status: 200, shows: ["Home and work", "Porto"], hides: ["Lisbon", "mem_"] },
  stranger: { status: 200, shows: ['{"data":null}'] },
  rows: [
    {
      when: "returns one text without a query",
      request: get("profile?user_id=ana"),
      ...successData((text) => strictEqual(typeof text, "string")),
    },
    {
      when: "returns sections with a query",
      request: get("profile?user_id=ana&query=home"),
      ...successData((sections) => {
        deepStrictEqual(Object.keys(sections[0]).sort(), ["content", "id", "score", "title"]);
        strictEqual(sections[0].title, "Home and work");
      }),
    },
    {
      when: "an unknown user, with a query",
      request: get("profile?user_id=bo&query=home"),
      ...successData((sections) => deepStrictEqual(sections, [])),
    },
    { when: "a limit of 20", request: get("profile?user_id=ana&query=home&limit=20"), status: 200 },
    { when: "no scope", request: get("profile?query=home"), ...refusedField("user_id") },
    {
      when: "an empty query",
      request: get("profile?user_id=ana&query="),
      ...refusedField("query"),
    },
    ...["0", "21", "1.5", "many"].map((limit): Row<HomeMemories> => ({
      when: `limit ${limit}`,
      request: get(`profile?user_id=ana&query=home&limit=${limit}`),
      ...refusedField("limit"),
    })),
  ],
});
