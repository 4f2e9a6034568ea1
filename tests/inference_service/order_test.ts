/**
 * Tests inferred adds that finish in a different order than they were accepted in. Later statements
 * must win.
 */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readRecords } from "../../testing/engine.ts";
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

interface Statement {
  readonly text: string;
  readonly memory: string;
  readonly attribute: string;
  readonly value: string;
  readonly op?: "assert" | "end";
  readonly date?: string;
  /** Start of the validity period, as returned by the model. */
  readonly since?: string;
  /** An extra claim. */
  readonly also?: readonly [attribute: string, value: string];
  /** Whether to process the statement after all those that aren't late. */
  readonly late?: boolean;
}

const HOME = (value: string, date?: string): Statement => ({
  text: `I live in ${value}.`,
  memory: `User lives in ${value}`,
  attribute: "lives_in",
  value,
  ...(date === undefined ? {} : { date }),
});

const LIMITED: ProviderReply = { status: 429, headers: { "retry-after": "600" }, body: {} };

function responseFor(
  { memory, attribute, value, op = "assert", since, also }: Statement,
): ProviderReply {
  const claims = [{ subject: "user", attribute, value, op }];
  if (also) claims.push({ subject: "user", attribute: also[0], value: also[1], op });
  const dates = { event_date: null, valid_from: since ?? null, valid_to: null };
  const fact = { memory, memory_type: "fact", ...dates };
  return completion(JSON.stringify({ facts: [{ ...fact, claims, source: 0 }] }));
}

const fieldsOf = ({ date }: Statement) =>
  date === undefined ? { user_id: "ana" } : { user_id: "ana", event_date: date };

interface Stored {
  readonly id: string;
  readonly memory: string;
  readonly created_at: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

/**
 * Adds the statements in the given order. Calls `check` with each statement's memory, and with the
 * events of the late ones.
 */
async function inferInOrder(
  statements: readonly Statement[],
  check: (
    server: TestServer,
    stored: readonly Stored[],
    events: readonly string[],
  ) => Promise<void> | void,
): Promise<void> {
  const late = statements.filter((statement) => statement.late);
  const replies = [
    ...statements.map((statement) => statement.late ? LIMITED : responseFor(statement)),
    ...late.map(responseFor),
  ];
  await withProvider((call) => replies[call]!, async (inference) => {
    await withServer(async (server) => {
      const { call } = server;
      const waiting: string[] = [];
      for (const statement of statements) {
        if (!statement.late) {
          strictEqual(
            (await inferMemories(call, statement.text, fieldsOf(statement))).status,
            "SUCCEEDED",
          );
          continue;
        }
        const id = await queueInference(call, statement.text, fieldsOf(statement));
        await waitUntil(
          () => call("GET", `/v1/operations/${id}`),
          ({ json }) => json.status === "retry",
        );
        waiting.push(id);
      }
      await retryNow(server.directory);
      const events: string[] = [];
      for (const id of waiting) {
        const event = await waitForEvent(call, id);
        strictEqual(event.status, "SUCCEEDED", JSON.stringify(event.error));
        events.push(...event.results.map(({ event }: { event: string }) => event));
      }
      const memories: Stored[] = (await call("GET", "/v1/memories?user_id=ana")).json.results;
      const stored = statements.map(({ memory }) =>
        memories.find((stored) => stored.memory === memory)!
      );
      await check(server, stored, events);
      await readRecords(server.directory, checkRecords);
    }, { inference });
  });
}

/**
 * Adds `first` before `second`, but processes it afterwards. Calls `check` with both memories and
 * the events.
 */
function inferReversed(
  first: Statement,
  second: Statement,
  check: (
    server: TestServer,
    stored: { readonly first: Stored; readonly second: Stored },
    events: readonly string[],
  ) => Promise<void> | void,
): Promise<void> {
  return inferInOrder(
    [{ ...first, late: true }, second],
    (server, [first, second], events) => check(server, { first: first!, second: second! }, events),
  );
}

/** Returns the current value in the state view, or null. */
async function valueOf(call: TestServer["call"], attribute: string): Promise<string | null> {
  const path = `/v1/state?user_id=ana&subject=user&attribute=${attribute}`;
  return (await call("GET", path)).json.data?.value ?? null;
}

Deno.test("inference supersedes a value that was stated earlier but processed later", async () => {
  await inferReversed(
    HOME("Porto"),
    HOME("Lisbon"),
    async ({ call }, { first, second }, events) => {
      deepStrictEqual(events, ["ADD", "INVALIDATE"]);
      strictEqual(second.valid_to, null);
      strictEqual(first.valid_to, second.created_at);
      const history = (await call("GET", `/v1/memories/${first.id}/history`)).json.results;
      strictEqual(history.at(-1).changes.superseded_by.to, second.id);
      strictEqual(await valueOf(call, "lives_in"), "Lisbon");
    },
  );
});

Deno.test("inference orders by date first, and then by order of acceptance", async () => {
  const [march, january] = [HOME("Porto", "2026-03-01"), HOME("Lisbon", "2026-01-01")];
  await inferReversed(march, january, (_, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(first.valid_to, null);
    strictEqual(second.valid_to, "2026-03-01T00:00:00.000Z");
  });
  await inferReversed(january, march, (_, { first, second }) => {
    strictEqual(first.valid_to, "2026-03-01T00:00:00.000Z");
    strictEqual(second.valid_to, null);
  });
});

Deno.test("inference doesn't let a statement with an earlier date close a value with a later date", async (t) => {
  const [march, january] = ["2026-03-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
  const february = "2026-02-01T00:00:00.000Z";
  const BACK_DATED = HOME("Lisbon", january);
  await t.step(
    "if both have dates",
    () =>
      inferInOrder([HOME("Porto", march), BACK_DATED], async ({ call }, [porto, lisbon]) => {
        deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [null, march]);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      }),
  );
  await t.step("if the later one has a start date", () =>
    inferInOrder(
      [{ ...HOME("Porto", march), since: february }, BACK_DATED],
      async ({ call }, [porto, lisbon]) => {
        deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [null, february]);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      },
    ));
  await t.step("if the value was also stated before that", () =>
    inferInOrder(
      [HOME("Porto", january), HOME("Porto", march), HOME("Lisbon", february)],
      async ({ call }, [porto]) => {
        strictEqual(porto!.valid_to, null);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      },
    ));
  await t.step(
    "if the later one has no date",
    () =>
      inferInOrder([HOME("Porto"), BACK_DATED], async ({ call }, [porto, lisbon]) => {
        deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [null, porto!.created_at]);
        strictEqual(await valueOf(call, "lives_in"), "Porto");
      }),
  );
});

Deno.test("inference doesn't treat today's date as earlier than an undated statement", async () => {
  const today = () => new Date().toISOString().slice(0, 10);
  for (let day = ""; day !== today();) {
    day = today();
    await inferInOrder([HOME("Porto"), HOME("Lisbon", day)], async ({ call }, [porto, lisbon]) => {
      // Repeat the test if it ran past midnight.
      if (day !== today()) return;
      deepStrictEqual([porto!.valid_to, lisbon!.valid_to], [porto!.created_at, null]);
      strictEqual(await valueOf(call, "lives_in"), "Lisbon");
    });
  }
});

Deno.test("inference keeps a value that was repeated later, even though the repetition wrote nothing", async () => {
  const late = { ...HOME("Lisbon"), late: true };
  await inferInOrder([HOME("Porto"), late, HOME("Porto")], async ({ call }, [porto], events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(porto!.valid_to, null);
    strictEqual(await valueOf(call, "lives_in"), "Porto");
  });
});

Deno.test("inference doesn't restore a superseded value when its successor ends", async () => {
  const left = {
    text: "I no longer live in Lisbon.",
    memory: "User no longer lives in Lisbon",
    attribute: "lives_in",
    value: "Lisbon",
    op: "end",
  } as const;
  const late = { ...HOME("Porto"), late: true };
  await inferInOrder([late, HOME("Lisbon"), left], async ({ call }, [porto, lisbon]) => {
    strictEqual(porto!.valid_to, lisbon!.created_at);
    strictEqual(await valueOf(call, "lives_in"), null);
  });
  await inferInOrder([late, HOME("Lisbon"), HOME("Braga")], async ({ call }, [porto, lisbon]) => {
    strictEqual(porto!.valid_to, lisbon!.created_at);
    strictEqual(await valueOf(call, "lives_in"), "Braga");
  });
});

Deno.test("inference doesn't merge a partly outdated fact into an active memory", async () => {
  const both: Statement = {
    ...HOME("Porto"),
    text: "I live in Porto and work at Bosch.",
    memory: "User lives in Porto and works at Bosch",
    also: ["works_at", "Bosch"],
    late: true,
  };
  const work = {
    text: "I work at Siemens.",
    memory: "User works at Siemens",
    attribute: "works_at",
    value: "Siemens",
  };
  await inferInOrder([both, work, HOME("Porto")], async ({ call }, [, siemens], events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(siemens!.valid_to, null);
    strictEqual(await valueOf(call, "works_at"), "Siemens");
    strictEqual(await valueOf(call, "lives_in"), "Porto");
  });
});

Deno.test("inference ignores an end that was stated before the value was stated again", async () => {
  const work = { attribute: "works_at", value: "Bosch" };
  const left = {
    text: "I no longer work at Bosch.",
    memory: "User no longer works at Bosch",
    ...work,
    op: "end",
  } as const;
  const joined = { text: "I work at Bosch.", memory: "User works at Bosch", ...work };
  await inferReversed(left, joined, async ({ call }, { second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(second.valid_to, null);
    strictEqual(await valueOf(call, "works_at"), "Bosch");
  });
  // In the opposite order, the value was stated first and has since ended.
  await inferReversed(joined, left, async ({ call }, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(first.valid_to, second.created_at);
    strictEqual(await valueOf(call, "works_at"), null);
  });
});

Deno.test("inference stores a value as ended if it was ended before it was processed", async () => {
  const tea = { attribute: "likes", value: "tea" };
  const likes = { text: "I like tea.", memory: "User likes tea", ...tea };
  const ends = {
    text: "I don't like tea any more.",
    memory: "User doesn't like tea any more",
    ...tea,
  };
  await inferReversed(likes, { ...ends, op: "end" }, (_, { first, second }, events) => {
    deepStrictEqual(events, ["ADD", "INVALIDATE"]);
    strictEqual(first.valid_to, second.created_at);
  });
});

Deno.test("inference doesn't close a memory that was updated after the add was accepted", async () => {
  const replies = [responseFor(HOME("Porto")), LIMITED, responseFor(HOME("Lisbon"))];
  await withProvider((call) => replies[call]!, async (inference) => {
    await withServer(async ({ call, directory }) => {
      const [{ id }] = (await inferMemories(call, HOME("Porto").text)).results;
      const late = await queueInference(call, HOME("Lisbon").text);
      await waitUntil(
        () => call("GET", `/v1/operations/${late}`),
        ({ json }) => json.status === "retry",
      );
      const body = { content: "User lives in Braga" };
      strictEqual((await call("PUT", `/v1/memories/${id}`, { body })).status, 200);
      // By now, the claims in the new text have been extracted.
      await waitUntil(() => valueOf(call, "lives_in"), (value) => value === "Braga");
      await retryNow(directory);
      await waitForEvent(call, late);
      strictEqual((await call("GET", `/v1/memories/${id}`)).json.valid_to, null);
    }, { inference });
  });
});

Deno.test("inference orders an updated text by the date of its memory", async () => {
  const dates = ["2024-01-01", "2023-06-01", "2024-06-01"];
  const homes = ["Bergen", "Rome", "Braga"].map((value, index) => HOME(value, dates[index]));
  await withProvider((call) => responseFor(homes[call]!), async (inference) => {
    await withServer(async ({ call }) => {
      const infer = (home: Statement) => inferMemories(call, home.text, fieldsOf(home));
      const [{ id }] = (await infer(homes[0]!)).results;
      await call("PUT", `/v1/memories/${id}`, { body: { content: "User lives in Oslo" } });
      await waitUntil(() => valueOf(call, "lives_in"), (value) => value === "Oslo");
      strictEqual((await infer(homes[1]!)).results.at(-1).event, "INVALIDATE");
      await infer(homes[2]!);
      strictEqual(await valueOf(call, "lives_in"), "Braga");
      const { valid_to } = (await call("GET", `/v1/memories/${id}`)).json;
      strictEqual(valid_to, "2024-06-01T00:00:00.000Z");
    }, { inference });
  });
});
