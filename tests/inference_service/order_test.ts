/** Inferred adds that end in another order than they were accepted in: what was told later stands. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { checkRecords } from "../crash/invariants.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import {
  completion,
  inferMemories,
  type ProviderReply,
  queueInference,
  retryNow,
  waitForEvent,
  withProvider,
} from "./provider.ts";
import { waitUntil } from "../../testing/wait_until.ts";

interface Said {
  readonly said: string;
  readonly memory: string;
  readonly attribute: string;
  readonly value: string;
  readonly op?: "assert" | "end";
  readonly date?: string;
  /** When it holds from, by its own words. */
  readonly since?: string;
  /** Claimed beside the rest. */
  readonly also?: readonly [attribute: string, value: string];
  /** Read after all that isn't late. */
  readonly late?: boolean;
}

const HOME = (value: string, date?: string): Said => ({
  said: `I live in ${value}.`,
  memory: `User lives in ${value}`,
  attribute: "lives_in",
  value,
  ...(date === undefined ? {} : { date }),
});

const LIMITED: ProviderReply = { status: 429, headers: { "retry-after": "600" }, body: {} };

function answer({ memory, attribute, value, op = "assert", since, also }: Said): ProviderReply {
  const claims = [{ subject: "user", attribute, value, op }];
  if (also) claims.push({ subject: "user", attribute: also[0], value: also[1], op });
  const dates = { event_date: null, valid_from: since ?? null, valid_to: null };
  const fact = { memory, memory_type: "fact", ...dates };
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

/** Has all of it accepted in this order; answers what is stored of each, and the late ones' events. */
async function told(
  says: readonly Said[],
  look: (
    server: TestServer,
    stored: readonly Stored[],
    events: readonly string[],
  ) => Promise<void> | void,
): Promise<void> {
  const late = says.filter((each) => each.late);
  const replies = [...says.map((each) => each.late ? LIMITED : answer(each)), ...late.map(answer)];
  await withProvider((call) => replies[call]!, async (inference) => {
    await withServer(async (server) => {
      const { call } = server;
      const waiting: string[] = [];
      for (const each of says) {
        if (!each.late) {
          strictEqual((await inferMemories(call, each.said, fieldsOf(each))).status, "SUCCEEDED");
          continue;
        }
        const id = await queueInference(call, each.said, fieldsOf(each));
        await waitUntil(
          () => call("GET", `/v1/operations/${id}`),
          ({ json }) => json.status === "retry",
        );
        waiting.push(id);
      }
      retryNow(server.directory);
      const events: string[] = [];
      for (const id of waiting) {
        const event = await waitForEvent(call, id);
        strictEqual(event.status, "SUCCEEDED", JSON.stringify(event.error));
        events.push(...event.results.map((each: { event: string }) => each.event));
      }
      const memories: Stored[] = (await call("GET", "/v1/memories?user_id=ana")).json.results;
      const stored = says.map(({ memory }) => memories.find((each) => each.memory === memory)!);
      await look(server, stored, events);
      const records = new Connection(databasePath(server.directory), { readOnly: true });
      checkRecords(records);
      records.close();
    }, { inference });
  });
}

/** Has `first` accepted before `second` and read after it; answers both memories, and the events. */
function overtaken(
  first: Said,
  second: Said,
  look: (
    server: TestServer,
    stored: { readonly first: Stored; readonly second: Stored },
    events: readonly string[],
  ) => Promise<void> | void,
): Promise<void> {
  return told(
    [{ ...first, late: true }, second],
    (server, [first, second], events) => look(server, { first: first!, second: second! }, events),
  );
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

Deno.test("what is told later with an earlier date closes nothing that has a later one", async (t) => {
  const [march, january] = ["2026-03-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
  const february = "2026-02-01T00:00:00.000Z";
  const BACK_DATED = HOME("Lisbon", january);
  await t.step(
    "by the dates of both",
    () =>
      told([HOME("Porto", march), BACK_DATED], async ({ call }, [porto, lisbon]) => {
        deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [null, march]);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      }),
  );
  await t.step("also where its own words say from when on it holds", () =>
    told(
      [{ ...HOME("Porto", march), since: february }, BACK_DATED],
      async ({ call }, [porto, lisbon]) => {
        deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [null, february]);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      },
    ));
  await t.step("also where that was said before already", () =>
    told(
      [HOME("Porto", january), HOME("Porto", march), HOME("Lisbon", february)],
      async ({ call }, [porto]) => {
        strictEqual(porto!.valid_to, null);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      },
    ));
  await t.step(
    "nor what has none, and is told now",
    () =>
      told([HOME("Porto"), BACK_DATED], async ({ call }, [porto, lisbon]) => {
        deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [null, porto!.created_at]);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      }),
  );
});

Deno.test("the date of today is no earlier date: what has none ends, and not before it began", async () => {
  const today = () => new Date().toISOString().slice(0, 10);
  for (let day = ""; day !== today();) {
    day = today();
    await told([HOME("Porto"), HOME("Lisbon", day)], async ({ call }, [porto, lisbon]) => {
      // Told on either side of midnight, it is asked again.
      if (day !== today()) return;
      deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [porto!.created_at, null]);
      strictEqual(await valueOf(call, "lives_in"), "Lisbon");
    });
  }
});

Deno.test("what was said again since stands, though that has written nothing", async () => {
  const late = { ...HOME("Lisbon"), late: true };
  await told([HOME("Porto"), late, HOME("Porto")], async ({ call }, [porto], events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(porto!.valid_to, null);
    strictEqual(await valueOf(call, "lives_in"), "Porto");
  });
});

Deno.test("a value doesn't come back when what took its place has ended too", async () => {
  const left = {
    said: "I no longer live in Lisbon.",
    memory: "User no longer lives in Lisbon",
    attribute: "lives_in",
    value: "Lisbon",
    op: "end",
  } as const;
  const late = { ...HOME("Porto"), late: true };
  await told([late, HOME("Lisbon"), left], async ({ call }, [porto, lisbon]) => {
    strictEqual(porto!.valid_to, lisbon!.created_at);
    strictEqual(await valueOf(call, "lives_in"), null);
  });
  await told([late, HOME("Lisbon"), HOME("Braga")], async ({ call }, [porto, lisbon]) => {
    strictEqual(porto!.valid_to, lisbon!.created_at);
    strictEqual(await valueOf(call, "lives_in"), "Braga");
  });
});

Deno.test("a fact that is outdated in part enriches no memory that holds", async () => {
  const both: Said = {
    ...HOME("Porto"),
    said: "I live in Porto and work at Bosch.",
    memory: "User lives in Porto and works at Bosch",
    also: ["works_at", "Bosch"],
    late: true,
  };
  const work = {
    said: "I work at Siemens.",
    memory: "User works at Siemens",
    attribute: "works_at",
    value: "Siemens",
  };
  await told([both, work, HOME("Porto")], async ({ call }, [, siemens], events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(siemens!.valid_to, null);
    strictEqual(await valueOf(call, "works_at"), "Siemens");
    strictEqual(await valueOf(call, "lives_in"), "Porto");
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
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
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
      const [{ id }] = (await inferMemories(call, HOME("Porto").said)).results;
      const late = await queueInference(call, HOME("Lisbon").said);
      await waitUntil(
        () => call("GET", `/v1/operations/${late}`),
        ({ json }) => json.status === "retry",
      );
      const body = { content: "User lives in Braga" };
      strictEqual((await call("PUT", `/v1/memories/${id}`, { body })).status, 200);
      // What the new words claim is read out of them by then.
      await waitUntil(() => valueOf(call, "lives_in"), (value) => value === "Braga");
      retryNow(directory);
      await waitForEvent(call, late);
      strictEqual((await call("GET", `/v1/memories/${id}`)).json.valid_to, null);
    }, { inference });
  });
});
