/** Reads lists in JSON files one element at a time. */

import { LIMITS } from "../kernel/limits.ts";
import { JsonReader, JsonSyntaxError, Utf8Error } from "../kernel/bytes/json_reader.ts";
import type { SetAside } from "./model.ts";
import { invalidImport, type SourceFile } from "./source_files.ts";
import { linesOf, textOf } from "./text.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An element of a list that is an object, or why it can't be read. */
export type JsonElement =
  | { readonly kind: "element"; readonly where: string; readonly list: string; value: JsonObject }
  | SetAside;

/** A parsed text, or why it can't be read. */
export type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** Checks whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * Yields the elements of a file's lists: of the file itself if it's a list, or else of its members
 * with one of the given names. Anything else in the file is passed over.
 *
 * @throws {ApiError} INVALID_IMPORT if the file isn't JSON, ends early or has none of the lists
 */
export async function* elementsOf(
  file: SourceFile,
  names: readonly string[],
): AsyncGenerator<JsonElement> {
  const reader = new JsonReader(withoutByteOrderMark(file.bytes()));
  try {
    if (await reader.kind() === "array") yield* listElements(reader, file, "");
    else yield* memberElements(reader, file, names);
    await reader.expectEnd();
  } catch (error) {
    throw asInvalidImport(error, file);
  } finally {
    await reader.close();
  }
}

async function* memberElements(
  reader: JsonReader,
  file: SourceFile,
  names: readonly string[],
): AsyncGenerator<JsonElement> {
  const wanted = names.length === 0 ? "a list" : `a list, or an object with ${names.join(" or ")}`;
  if (await reader.kind() !== "object") throw invalidImport(`${nameOf(file)} must be ${wanted}`);
  let found = false;
  for await (const key of reader.keys()) {
    if (!names.includes(key) || await reader.kind() !== "array") {
      await reader.skip();
      continue;
    }
    found = true;
    yield* listElements(reader, file, key);
  }
  if (!found) throw invalidImport(`${nameOf(file)} must be ${wanted}`);
}

async function* listElements(
  reader: JsonReader,
  file: SourceFile,
  list: string,
): AsyncGenerator<JsonElement> {
  let index = 0;
  for await (const _ of reader.elementOffsets()) {
    const where = `${file.name === "" ? "" : `${file.name}: `}${list}[${index++}]`;
    const read = await reader.valueOrProblem();
    if ("problem" in read) yield { kind: "set_aside", where, reason: read.problem };
    else if (isObject(read.value)) yield { kind: "element", where, list, value: read.value };
    else yield { kind: "set_aside", where, reason: "Must be a JSON object" };
  }
}

/** Yields the objects in a file with one JSON text per line. Empty lines are passed over. */
export async function* jsonLinesOf(file: SourceFile): AsyncGenerator<JsonElement> {
  for await (const line of linesOf(file.bytes())) {
    const where = `${file.name === "" ? "" : `${file.name}: `}line ${line.number}`;
    if ("problem" in line) {
      yield { kind: "set_aside", where, reason: line.problem };
      continue;
    }
    if (line.text.trim() === "") continue;
    const parsed = parseLine(line.text);
    if (typeof parsed === "string") yield { kind: "set_aside", where, reason: parsed };
    else yield { kind: "element", where, list: "", value: parsed };
  }
}

/** Returns the object in a line, or why there isn't one. */
function parseLine(text: string): JsonObject | string {
  const parsed = parseText(text);
  if ("problem" in parsed) return parsed.problem;
  return isObject(parsed.value) ? parsed.value : "Must be a JSON object";
}

/** Returns the value of a JSON text, or why it can't be read. */
export function parseText(text: string): ParsedJson {
  if (isTooDeep(text)) return { problem: `Nested deeper than ${LIMITS.jsonDepth} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The message of the error would repeat some of the text.
    return { problem: "Not valid JSON" };
  }
}

/** Checks whether brackets outside of strings nest too deeply. */
function isTooDeep(text: string): boolean {
  if (text.length <= LIMITS.jsonDepth) return false;
  let [depth, inString] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") {
      if (++depth > LIMITS.jsonDepth) return true;
    } else if (character === "]" || character === "}") depth--;
  }
  return false;
}

/** Returns a whole file, parsed, or why it can't be read. */
export async function jsonFile(file: SourceFile): Promise<ParsedJson> {
  const read = await textOf(file);
  return "problem" in read ? read : parseText(read.text);
}

async function* withoutByteOrderMark(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of bytes) {
    const hasMark = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    yield hasMark ? chunk.subarray(3) : chunk;
    first = false;
  }
}

function asInvalidImport(error: unknown, file: SourceFile): unknown {
  if (!(error instanceof JsonSyntaxError || error instanceof Utf8Error)) return error;
  return invalidImport(`${nameOf(file)} is not JSON: ${error.message}`, error);
}

function nameOf(file: SourceFile): string {
  return file.name === "" ? "The file" : `"${file.name}"`;
}
