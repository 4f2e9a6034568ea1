/**
 * Runs `clients/cases/cases.json` with this client, on any runtime. See clients/cases/README.md for
 * the form of a case.
 */

import type * as Client from "./src/index.ts";

type Library = typeof Client;
type Fields = Readonly<Record<string, unknown>>;

interface Step {
  readonly call: string;
  readonly args?: readonly unknown[];
  readonly fields?: Fields;
  readonly options?: { idempotency_key?: string; timeout_seconds?: number; wait?: boolean };
  readonly client?: { user_id?: string; max_retries?: number; timeout_seconds?: number };
  readonly key?: "full" | "reader" | "empty" | "wrong";
  readonly server?: string;
  readonly wait?: { timeout_seconds?: number };
  readonly collect?: true | "pages";
  readonly progress?: "sent" | "states";
  readonly repeat?: number;
  readonly concurrency?: number;
  readonly expect?: Fields;
  readonly save?: Readonly<Record<string, string>>;
  readonly error?: { type: string; status?: number; code?: string };
}

/** A case of the table. */
export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Where and with which keys to run the cases. */
export interface Run {
  readonly proxy_url: string;
  readonly unreachable_url: string;
  /** By the name of the case. */
  readonly keys: Readonly<Record<string, Keys>>;
}

type Keys = Readonly<Record<NonNullable<Step["key"]>, string>>;

/** Methods that take options right after their arguments, without the API's fields between them. */
const WITHOUT_FIELDS = new Set([
  "memories.get",
  "memories.delete",
  "memories.update_many",
  "memories.delete_many",
  "feedback.get",
  "feedback.clear",
  "documents.get",
  "documents.content",
  "documents.delete",
  "uploads.put",
  "uploads.complete",
  "uploads.get",
  "uploads.delete",
  "operations.get",
  "operations.retry",
  "operations.wait",
  "events.get",
  "events.wait",
  "entities.get",
  "entities.delete",
  "exports.create",
  "exports.load",
  "imports.create",
  "imports.load",
  "inference.explain",
  "health",
  "openapi",
]);

/** Runs one case. Throws an error that names the step and what is wrong with it. */
export async function runCase(library: Library, run: Run, { name, steps }: Case): Promise<void> {
  const saved = new Map<string, unknown>();
  for (const [index, step] of steps.entries()) {
    try {
      await runStep(library, run, run.keys[name]!, step, saved);
    } catch (error) {
      throw new Error(`Step ${index} (${step.call}): ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

async function runStep(
  library: Library,
  run: Run,
  keys: Keys,
  step: Step,
  saved: Map<string, unknown>,
): Promise<void> {
  const { server = "record", client: options = {} } = step;
  const client = new library.Commonplace({
    baseUrl: server === "unreachable" ? run.unreachable_url : `${run.proxy_url}/${server}`,
    apiKey: keys[step.key ?? "full"],
    userId: options.user_id ?? "ana",
    maxRetries: options.max_retries,
    timeout: milliseconds(options.timeout_seconds),
  });
  const { repeat = 1, concurrency = 1, expect = {}, save = {}, error: expected } = step;
  let result: unknown;
  let next = 0;
  const work = async () => {
    while (next < repeat) result = await call(client, step, saved, next++);
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } catch (error) {
    if (expected === undefined) throw error;
    checkError(library, error, expected);
    return;
  }
  if (expected !== undefined) throw new Error(`expected ${expected.type}, got ${show(result)}`);
  for (const [path, value] of Object.entries(expect)) {
    checkValue(path, at(result, path), filled(value, saved, 0));
  }
  for (const [variable, path] of Object.entries(save)) saved.set(variable, at(result, path));
}

async function call(
  client: Client.Commonplace,
  step: Step,
  saved: ReadonlyMap<string, unknown>,
  repetition: number,
): Promise<unknown> {
  const [group, method] = step.call.split(".") as [string, string?];
  const holder = (method === undefined ? client : client[group as "memories"]) as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  const progress: Fields[] = [];
  const options = {
    ...withoutUndefined({
      idempotencyKey: step.options?.idempotency_key,
      timeout: milliseconds(step.options?.timeout_seconds),
      wait: step.options?.wait,
    }),
    ...step.progress ? { onProgress: (now: Fields) => void progress.push(now) } : {},
  };
  const args = filled(step.args ?? [], saved, repetition) as unknown[];
  const fields = WITHOUT_FIELDS.has(step.call)
    ? []
    : [filled(step.fields ?? {}, saved, repetition)];
  let result = holder[camelCase(method ?? group)]!(...args, ...fields, options);
  if (step.wait) {
    const timeout = milliseconds(step.wait.timeout_seconds);
    result = (result as Client.PendingInference).wait({ timeout });
  }
  if (step.collect) {
    const list = result as Client.Pages<unknown>;
    result = collect(step.collect === "pages" ? list.pages() : list);
  }
  const value = await result;
  if (step.progress) checkProgress(step.progress, progress);
  return value;
}

function checkProgress(kind: "sent" | "states", progress: readonly Fields[]): void {
  if (progress.length === 0) throw new Error("no progress was reported");
  if (kind === "states") return checkValue("status", isEnd(progress.at(-1)!), true);
  const sent = progress.filter(({ stage }) => stage === "sending");
  const bytes = sent.map(({ sent_bytes }) => sent_bytes as number);
  checkValue("sent_bytes", bytes.at(-1), sent.at(-1)?.["total_bytes"]);
  checkValue("sent_bytes in order", bytes.toSorted((a, b) => a - b), bytes);
}

function isEnd({ status }: Fields): boolean {
  return /^(success|committed|dead|failed|cancelled|SUCCEEDED|FAILED)$/.test(String(status));
}

function checkError(library: Library, error: unknown, expected: NonNullable<Step["error"]>): void {
  const type = library[expected.type as keyof Library] as unknown as new () => Error;
  if (!(error instanceof type)) throw new Error(`expected ${expected.type}, got ${error}`);
  const { status, code, operation, event } = error as unknown as Record<string, unknown>;
  const work = (operation ?? event) as { error?: { code: string } } | undefined;
  if (expected.status !== undefined) checkValue("status", status, expected.status);
  if (expected.code !== undefined) checkValue("code", work?.error?.code ?? code, expected.code);
}

function checkValue(path: string, actual: unknown, expected: unknown): void {
  const { $type, $min, $contains } = Object(expected) as Record<string, unknown>;
  const matches = $type !== undefined
    ? typeOf(actual) === $type
    : $min !== undefined
    ? typeof actual === "number" && actual >= ($min as number)
    : $contains !== undefined
    ? typeof actual === "string" && actual.includes($contains as string)
    : show(actual) === show(expected);
  if (!matches) throw new Error(`${path}: expected ${show(expected)}, got ${show(actual)}`);
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Returns JSON with sorted keys, to compare and to print. */
function show(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_key, part) =>
      part !== null && typeof part === "object" && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a < b ? -1 : 1))
        : part,
  );
  return text?.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}

/** Returns the value at a path such as `results.0.id`, `length` or `distinct.id`. */
function at(value: unknown, path: string): unknown {
  if (path === "") return value;
  if (path.startsWith("distinct.")) {
    const field = path.slice("distinct.".length);
    return new Set((value as Record<string, unknown>[]).map((item) => item[field])).size;
  }
  return path.split(".").reduce<unknown>((part, key) => Object(part)[key], value);
}

/** Replaces variables and made-up data. */
function filled(value: unknown, saved: ReadonlyMap<string, unknown>, repetition: number): unknown {
  if (typeof value === "string") {
    if (value.startsWith("$") && saved.has(value.slice(1))) return saved.get(value.slice(1));
    return value.replaceAll("$i", String(repetition));
  }
  if (Array.isArray(value)) return value.map((part) => filled(part, saved, repetition));
  if (typeof value !== "object" || value === null) return value;
  const { $text, $file, size } = value as { $text?: string; $file?: MadeFile; size?: number };
  if ($text !== undefined) return $text.repeat(Math.ceil(size! / $text.length)).slice(0, size);
  if ($file !== undefined) return fileOf($file);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, filled(part, saved, repetition)]),
  );
}

interface MadeFile {
  readonly begin: string;
  readonly fill: string;
  readonly end: string;
  readonly size: number;
}

function fileOf({ begin, fill, end, size }: MadeFile): Blob {
  const length = size - begin.length - end.length;
  const middle = fill.repeat(Math.ceil(length / fill.length)).slice(0, length);
  return new Blob([begin, middle, end]);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
