/** `commonplace embedder`: lists the built-in embedding models and switches between them. */

import {
  BUILTIN_MODELS,
  type BuiltinName,
  findBuiltin,
  isBuiltin,
} from "../../embedding/builtin_models.ts";
import { programName } from "../../kernel/process/program_name.ts";
import { readEmbedderChoice, writeEmbedderChoice } from "../../search/vectors/embedder_choice.ts";
import { countPending, listModels } from "../../search/vectors/vector_store.ts";
import {
  acceptsStoredEmbedder,
  type EffectiveSetting,
  environmentName,
  resolveSettings,
} from "../../server/config.ts";
import { findRunningServer } from "../../server/server_file.ts";
import type { Reader } from "../../store/store.ts";
import {
  type Command,
  dataDirectory,
  type Flags,
  printResult,
  readFlags,
  singlePositional,
  type Terminal,
  UsageError,
  withServices,
} from "../command.ts";

/** What a model is for. */
const LANGUAGES = { minilm: "English", e5: "about 100 languages" } as const;

export const embedder: Command = {
  name: "embedder",
  summary: "list the embedding models, or switch to another one",
  usage: ["commonplace embedder", "commonplace embedder use NAME"],
  async run([action, ...args], terminal) {
    if (action === "use") return await use(args, terminal);
    await list(action === undefined ? [] : [action, ...args], terminal);
  },
};

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args);
  const { choice, models } = await withServices(
    flags,
    terminal,
    ({ appContext }) =>
      appContext.store.read(async (db) => ({
        choice: await readEmbedderChoice(db),
        models: await modelsIn(db),
      })),
  );
  const chosen = configuredEmbedder(flags, terminal, choice) ?? defaultEmbedder();
  const rows = Object.keys(BUILTIN_MODELS).filter(isBuiltin).map((name) => ({
    name,
    model: BUILTIN_MODELS[name].id,
    languages: LANGUAGES[name],
    chosen: name === chosen,
    vectors: models.get(BUILTIN_MODELS[name].id) ?? "none",
  }));
  printResult(terminal, flags, rows);
}

/**
 * Returns the embedder that the service uses, or would use if it started now with this environment.
 * Null for the default one.
 *
 * @param choice the stored choice, which a flag or variable of the service takes precedence over
 */
export function configuredEmbedder(
  flags: Flags,
  terminal: Terminal,
  choice: BuiltinName | null,
): string | null {
  const running = findRunningServer(dataDirectory(flags, terminal));
  if (running !== null) return running.fixedEmbedder ?? choice;
  const settings = resolveSettings([], terminal.environment);
  return acceptsStoredEmbedder(settings) ? choice : embedderIn(settings);
}

function defaultEmbedder(): string {
  return embedderIn(resolveSettings([], () => undefined));
}

function embedderIn(settings: readonly EffectiveSetting[]): string {
  return settings.find(({ name }) => name === "embedder")!.value;
}

/** Returns what the database has of each model's vectors: in use, or how many are missing. */
async function modelsIn(db: Reader): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (const { id, serving } of await listModels(db)) {
    const missing = await countPending(db, id, null);
    const rest = missing === 0 ? "" : `${missing} missing`;
    states.set(id, [serving === 1 ? "in use" : "", rest].filter((part) => part !== "").join(", "));
  }
  return states;
}

async function use(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const text = singlePositional(flags, "name of an embedding model");
  const name = findBuiltin(text);
  if (name === undefined) {
    const names = Object.keys(BUILTIN_MODELS).join(", ");
    throw new UsageError(`Unknown embedding model "${text}"; expected one of ${names}`);
  }
  const running = findRunningServer(dataDirectory(flags, terminal));
  if (running?.fixedEmbedder) {
    throw new UsageError(
      "The running service was started with --embedder or COMMONPLACE_EMBEDDER, which takes " +
        "precedence; restart it without and try again",
    );
  }
  await withServices(
    flags,
    terminal,
    ({ appContext: { store } }) =>
      store.write("maintenance", (tx) => writeEmbedderChoice(tx, name)),
    { createIfMissing: true },
  );
  const { id } = BUILTIN_MODELS[name];
  const result = { name, model: id, service: running === null ? "not running" : "running" };
  if (flags.switches.has("json")) return printResult(terminal, flags, result);
  terminal.print(`Embedder  ${id}`);
  terminal.print(
    running === null
      ? "The next start embeds all texts again in the background"
      : "The service embeds all texts again in the background",
  );
  const status = `${programName(terminal.environment)} status`;
  terminal.print(
    `Searches use the previous vectors until then; \`${status}\` shows how far it is`,
  );
  if (!acceptsStoredEmbedder(resolveSettings([], terminal.environment))) {
    terminal.print(
      `${environmentName("embedder")} is set here; a service started with it ignores this`,
    );
  }
}
