/** Tests the advice about searches by meaning: on the embedder, and on the memory for searches. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { AdviceLog, type AdviceLogDeps } from "../../src/health/advice_log.ts";
import { isEnglish } from "../../src/health/language.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import type { Timers } from "../../src/kernel/timers.ts";
import { openEngine } from "../../src/server/engine.ts";
import { divideSearchMemory } from "../../src/search/search_memory.ts";
import type { Store } from "../../src/store/store.ts";
import { testDatabase } from "../../testing/engine.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";

const ENGLISH = [
  "Ana bought a puppy last spring",
  "The invoice was paid on time",
  "We moved to Porto yesterday, the boxes are everywhere",
];

const OTHERS = [
  "Ich habe gestern das rote Fahrrad verkauft",
  "Die Sitzung am Montag wurde auf Mittwoch verschoben",
  "Ayer compramos una mesa nueva para la cocina",
  "Ma sœur habite à Lyon depuis trois ans",
  "Minha filha não gosta de cogumelos no jantar",
  "Вчера мы купили новую машину",
  "私は毎朝コーヒーを飲みます",
];

Deno.test("isEnglish() recognizes English by its function words", () => {
  for (const text of ENGLISH) strictEqual(isEnglish(text), true, text);
  for (const text of OTHERS) strictEqual(isEnglish(text), false, text);
  strictEqual(isEnglish("Porto, Lisbon"), null, "no function words");
});

Deno.test("GET /v1/health advises to change the embedder if most texts are not in English", async () => {
  await withServer(async ({ add, call, waitForEmbeddings }) => {
    const advice = async () => (await call("GET", "/v1/health")).json.embedder.advice;
    for (const text of OTHERS) await add(text);
    await waitForEmbeddings();
    strictEqual(await advice(), null, "too few texts");
    for (const text of OTHERS) await add(`${text} (2)`);
    match(await advice(), /commonplace embedder use multilingual-e5-small/);
    for (let copy = 0; copy < 6; copy++) {
      for (const text of ENGLISH) await add(`${text}, number ${copy}`);
    }
    strictEqual(await advice(), null);
  }, { embedder: { ...NO_EMBEDDER, name: "minilm", runtime: "static" } });
});

Deno.test("GET /v1/health advises to raise the memory for searches if a project's vectors don't fit", async () => {
  await withServer(async ({ add, call, waitForEmbeddings }) => {
    const advice = async () => (await call("GET", "/v1/health")).json.embedder.advice;
    for (const text of ENGLISH) await add(text);
    await waitForEmbeddings();
    strictEqual(await advice(), null);
    for (const text of ENGLISH) await add(`${text}, as we know`);
    match(await advice(), /vectors of this project don't fit .* --search-memory-mb 1 or more/);
  }, { embedder: { ...NO_EMBEDDER, name: "minilm", runtime: "static" }, searchMemoryBytes: 150 });
});

const AMPLE_MEMORY = divideSearchMemory(2 ** 26, 1);

/** Runs rounds of the log on a stopped server's records. Returns their events. */
async function logRounds(
  { directory }: TestServer,
  rounds: number,
  wrap: (store: Store, round: () => number) => AdviceLogDeps["store"],
): Promise<string[]> {
  const events: string[] = [];
  const engine = await openEngine(directory, testDatabase(directory));
  const ended = Promise.withResolvers<void>();
  let round = 0;
  const timers: Timers = {
    after(_, run) {
      if (++round > rounds) ended.resolve();
      else queueMicrotask(run);
      return () => {};
    },
  };
  const log = jsonLog({ now: () => 0 }, "info", (text) => {
    for (const line of text.trim().split("\n")) events.push(JSON.parse(line).event);
  });
  const advice = new AdviceLog({
    store: wrap(engine.store, () => round),
    options: () => ({ model: BUILTIN_MODELS.minilm.id, searchMemory: AMPLE_MEMORY }),
    timers,
    log,
  });
  advice.start();
  await ended.promise;
  await advice.stop();
  log.flush();
  await engine.close();
  return events;
}

Deno.test("AdviceLog logs a project's advice once, and tries again if the projects can't be read", async () => {
  await withServer(async (server) => {
    for (const copy of ["", " (2)"]) for (const text of OTHERS) await server.add(`${text}${copy}`);
    await server.stop();
    const events = await logRounds(server, 3, (store, round) => ({
      read: (work) => round() === 1 ? Promise.reject(new Error("No space")) : store.read(work),
    }));
    await server.start();
    deepStrictEqual(events, ["projects were not checked for advice", "embedder advice"]);
  });
});

Deno.test("AdviceLog forgets deleted projects", async () => {
  await withServer(async (server) => {
    for (const copy of ["", " (2)"]) for (const text of OTHERS) await server.add(`${text}${copy}`);
    await server.stop();
    const events = await logRounds(server, 3, (store, round) => ({
      async read(work) {
        const deletedAt = round() === 2 ? "2026-03-04T05:06:07.000Z" : null;
        await store.write(
          "projects",
          (tx) => tx.run(sql`update projects set deleted_at = ${deletedAt}`),
        );
        return await store.read(work);
      },
    }));
    await server.start();
    deepStrictEqual(events, ["embedder advice", "embedder advice"]);
  });
});
