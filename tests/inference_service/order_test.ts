/** Inferred adds that end in another order than they were accepted in: what was told later stands. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { checkRecords } from "../crash/invariants.ts";
import { type TestServer, withServer } from "../harness.ts";
import { until } from "../process.ts";
import {
  completion,
  ended,
  hasten,
  infer,
  inferred,
  type ProviderReply,
  withProvider,
} from "./provider.ts";

interface Said {
  readonly said: string;
  readonly memory: string;
  readonly attribute: string;
  readonly value: string;
  readonly op?: "assert" | "end";
  readonly date?: string;
}

const HOME = (value: string, date?: string): Said => ({
  said: `I live in ${value}.`,
  memory: `User lives in ${value}`,
  attribute: "lives_in",
  value,
  ...(date === undefined ? {} : { date }),
});

const LIMITED: ProviderReply = { status: 429, headers: { "retry-after": "600" }, body: {} };

function answer({ memory, attribute, value, op = "assert" }: Said): ProviderReply {
  const claims = [{ subject: "user", attribute, value, op }];
  const fact = { memory, memory_type: "fact", event_date: null, valid_from: null, valid_to: null };
  return completion(JSON.stringify({ facts: [{ ...fact, claims, source: 0 }] }));
}

const fieldsOf = ({ date }: Said) =>
  date === undefined ? { user_id: "ana" } : { user_id: "ana", event_date: date };

interface Stored {
  readonly id: string;
  readonly memory: string;
  readonly created_at: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

/** Has `first` accepted before `second` and read after it; answers both memories, and the events. */
async function overtaken(
  first: Said,
  second: Said,
  look: (
    server: TestServer,
    stored: { readonly first: Stored; readonly second: Stored },
    events: readonly string[],
  ) => Promise<void> | void,
): Promise<void> {
  const replies = [LIMITED, answer(second), answer(first)];
  await withProvider((call) => replies[call]!, async (inference) => {
    await withServer(async (server) => {
      const { call } = server;
      const late = await infer(call, first.said, fieldsOf(first));
      await until(
        () => call("GET", `/v1/operations/${late}`),
        ({ json }) => json.status === "retry",
      );
      strictEqual((await inferred(call, second.said, fieldsOf(second))).results.length, 1);
      hasten(server.directory);
      const event = await ended(call, late);
      strictEqual(event.status, "SUCCEEDED", JSON.stringify(event.error));
      const memories: Stored[] = (await call("GET", "/v1/memories?user_id=ana")).json.results;
      const of = ({ memory }: Said) => memories.find((each) => each.memory === memory)!;
      const events = event.results.map((each: { event: string }) => each.event);
      await look(server, { first: of(first), second: of(second) }, events);
      const records = new Connection(databasePath(server.directory), { readOnly: true });
      checkRecords(records);
      records.close();
    }, { inference });
  });
}

/** The value that state has now; null when it has none. */
async function valueOf(call: TestServer["call"], attribute: string): Promise<string | null> {
  const path = `/v1/state?user_id=ana&subject=user&attribute=${attribute}`;
  return (await call("GET", path)).json.data?.value ?? null;
}

Deno.test("a value that was told earlier, and read later, comes before the one that was told later", async () => {
  await overtaken(HOME("Porto"), HOME("Lisbon"), async ({ call }, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(second.valid_to, null);
    strictEqual(first.valid_to, second.created_at);
    const history = (await call("GET", `/v1/memories/${first.id}/history`)).json.results;
    strictEqual(history.at(-1).changes.superseded_by.to, second.id);
    strictEqual(await valueOf(call, "lives_in"), "Lisbon");
  });
});

Deno.test("dates go before the order of acceptance", async () => {
  const [march, january] = [HOME("Porto", "2026-03-01"), HOME("Lisbon", "2026-01-01")];
  await overtaken(march, january, (_, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(first.valid_to, null);
    strictEqual(second.valid_to, "2026-03-01T00:00:00.000Z");
  });
  await overtaken(january, march, (_, { first, second }) => {
    strictEqual(first.valid_to, "2026-03-01T00:00:00.000Z");
    strictEqual(second.valid_to, null);
  });
});

Deno.test("what is told later with an earlier date closes nothing that has a later one", async () => {
  const replies = [HOME("Porto", "2026-03-01"), HOME("Lisbon", "2026-01-01")];
  await withProvider((call) => answer(replies[call]!), async (inference) => {
    await withServer(async ({ call }) => {
      for (const each of replies) await inferred(call, each.said, fieldsOf(each));
      const { results } = (await call("GET", "/v1/memories?user_id=ana")).json;
      deepStrictEqual(
        results.map(({ memory, valid_to }: Stored) => [memory, valid_to]),
        [["User lives in Lisbon", "2026-03-01T00:00:00.000Z"], ["User lives in Porto", null]],
      );
    }, { inference });
  });
});

Deno.test("an end that was told before the value was told again ends nothing", async () => {
  const work = { attribute: "works_at", value: "Bosch" };
  const left = {
    said: "I no longer work at Bosch.",
    memory: "User no longer works at Bosch",
    ...work,
    op: "end",
  } as const;
  const joined = { said: "I work at Bosch.", memory: "User works at Bosch", ...work };
  await overtaken(left, joined, async ({ call }, { second }, events) => {
    deepStrictEqual(events, ["ADD"]);
    strictEqual(second.valid_to, null);
    strictEqual(await valueOf(call, "works_at"), "Bosch");
  });
  // The other way round the value was told first, and has ended since.
  await overtaken(joined, left, async ({ call }, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(first.valid_to, second.created_at);
    strictEqual(await valueOf(call, "works_at"), null);
  });
});

Deno.test("one of several values that was ended before it was read is stored as ended", async () => {
  const tea = { attribute: "likes", value: "tea" };
  const likes = { said: "I like tea.", memory: "User likes tea", ...tea };
  const ends = {
    said: "I don't like tea any more.",
    memory: "User doesn't like tea any more",
    ...tea,
  };
  await overtaken(likes, { ...ends, op: "end" }, (_, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(first.valid_to, second.created_at);
  });
});

Deno.test("a memory that was changed by hand since an add was accepted is not the add's to close", async () => {
  const replies = [answer(HOME("Porto")), LIMITED, answer(HOME("Lisbon"))];
  await withProvider((call) => replies[call]!, async (inference) => {
    await withServer(async ({ call, directory }) => {
      const [{ id }] = (await inferred(call, HOME("Porto").said)).results;
      const late = await infer(call, HOME("Lisbon").said);
      await until(
        () => call("GET", `/v1/operations/${late}`),
        ({ json }) => json.status === "retry",
      );
      const body = { content: "User lives in Braga" };
      strictEqual((await call("PUT", `/v1/memories/${id}`, { body })).status, 200);
      // What the new words claim is read out of them by then.
      await until(() => valueOf(call, "lives_in"), (value) => value === "Braga");
      hasten(directory);
      await ended(call, late);
      strictEqual((await call("GET", `/v1/memories/${id}`)).json.valid_to, null);
    }, { inference });
  });
});
