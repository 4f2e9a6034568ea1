/** Switches between the built-in embedding models, with and without a running service. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { runCommandLine } from "../../src/cli/main.ts";
import { resolveSettings, serverConfig } from "../../src/server/config.ts";
import { testDatabaseUrl } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Settings that name no embedder, so that the data directory decides. */
const { embedder, withEmbedder } = serverConfig(resolveSettings([], () => undefined));

const MINILM = "all-minilm-l6-v2-int8";
const E5 = "multilingual-e5-small-int8";

Deno.test("embedder use switches a running service, which searches the old vectors until the new ones are complete", async () => {
  await withServer(async ({ add, call, manage, restart, waitForEmbeddings }) => {
    const puppy = await add("Ana bought a puppy last spring");
    for (let shelf = 0; shelf < 20; shelf++) await add(`Shelf ${shelf} holds spare parts`);
    await waitForEmbeddings();
    const find = async () => {
      const body = { query: "Does she own any pets?", user_id: "ana", limit: 1 };
      return (await call("POST", "/v1/memories/search", { body })).json.results[0]?.id;
    };
    const states = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await manage("embedder")).map(({ model, vectors }: Record<string, string>) =>
          [model, vectors] as const
        ),
      );
    strictEqual(await find(), puppy);
    deepStrictEqual(await states(), { [MINILM]: "in use", [E5]: "none" });

    deepStrictEqual(await manage("embedder", "use", "multilingual-e5-small"), {
      name: "e5",
      model: E5,
      service: "running",
    });
    await waitUntil(
      async () => {
        strictEqual(await find(), puppy, "found by meaning at any time");
        return await states();
      },
      (now) => now[E5] === "in use" && now[MINILM] === "none",
    );
    await restart();
    // A query that comes before the model is loaded can do without its vector.
    await waitUntil(find, (found) => found === puppy);
    const health = (await call("GET", "/v1/health")).json;
    strictEqual(health.embedder.model, E5, "the choice survives a restart");
    strictEqual(health.projections.vector_pending, 0);
  }, { embedder, withEmbedder });
});

Deno.test("embedder use refuses while the running service was started with an embedder", async () => {
  const directory = makeTempDirSync();
  try {
    {
      await using _program = await ServeProcess.serve(directory, ["--embedder", "none"]);
      const refused = await run(["embedder", "use", "e5", "--data", directory]);
      strictEqual(refused.code, 1);
      match(refused.stderr, /started with --embedder or COMMONPLACE_EMBEDDER/);
    }
    const config = async (...flags: string[]) => {
      // An empty variable counts as unset.
      const environment = { COMMONPLACE_EMBEDDER: "" };
      const args = ["config", "--json", "--data", directory, ...flags];
      const { stdout } = await run(args, { environment });
      const { value, source } = JSON.parse(stdout)
        .find(({ name }: { name: string }) => name === "embedder");
      return [value, source];
    };
    deepStrictEqual(await config(), ["minilm", "default"]);
    const accepted = await run(["embedder", "use", "e5", "--data", directory]);
    strictEqual(accepted.code, 0, accepted.stderr);
    match(accepted.stdout, /^Embedder {2}multilingual-e5-small-int8\nThe next start embeds all/);
    deepStrictEqual(await config(), ["e5", "stored"]);
    deepStrictEqual(await config("--embedder", "minilm"), ["minilm", "flag"]);
  } finally {
    await rm(directory);
  }
});

Deno.test("status and embedder show the stored choice, unless the service doesn't use it", async () => {
  const directory = makeTempDirSync();
  try {
    const shown = async (COMMONPLACE_EMBEDDER: string) => {
      const variables: Record<string, string | undefined> = {
        COMMONPLACE_EMBEDDER,
        COMMONPLACE_DATABASE_URL: testDatabaseUrl(directory),
      };
      const json = async (command: string) => {
        const lines: string[] = [];
        const code = await runCommandLine([command, "--json", "--data", directory], {
          print: (line) => void lines.push(line),
          environment: (name) => variables[name],
          confirm: () => null,
        });
        strictEqual(code, 0);
        return JSON.parse(lines.join());
      };
      const chosen = (await json("embedder")).filter((row: { chosen: boolean }) => row.chosen);
      return [
        (await json("status")).embedder,
        ...chosen.map(({ model }: { model: string }) => model),
      ];
    };
    await run(["embedder", "use", "e5", "--data", directory]);
    deepStrictEqual(await shown(""), [E5, E5]);
    deepStrictEqual(await shown("minilm"), [MINILM, MINILM]);
    deepStrictEqual(await shown("none"), [null]);
    {
      const flags = ["--embedder", "minilm"];
      await using _program = await ServeProcess.serve(directory, flags);
      deepStrictEqual(await shown(""), [MINILM, MINILM]);
    }
    const environment = { COMMONPLACE_EMBEDDER: "" };
    await using _program = await ServeProcess.serve(directory, [], { environment });
    deepStrictEqual(await shown("none"), [E5, E5], "what is set here is not what the service uses");
  } finally {
    await rm(directory);
  }
});

Deno.test("embedder use reports an unknown model", async () => {
  const directory = makeTempDirSync();
  const { code, stderr } = await run(["embedder", "use", "bert", "--data", directory]);
  strictEqual(code, 1);
  match(stderr, /Unknown embedding model "bert"; expected one of minilm, e5/);
  await rm(directory);
});

Deno.test("serve with an embedder set ignores the stored one", async () => {
  await withServer(async ({ add, call, manage, start, stop }) => {
    await stop();
    await manage("embedder", "use", "e5");
    await start();
    await add("The lamp is lit at dusk");
    const { embedder, projections } = (await call("GET", "/v1/health")).json;
    deepStrictEqual([embedder.model, projections.vector_pending], [null, 0]);
  });
});
