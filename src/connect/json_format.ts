/**
 * JSON with comments and trailing commas. Inserts and removes single properties and leaves every
 * other byte as it is: indentation, line ends, comments, and blank lines.
 */

import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ConfigError } from "./config_error.ts";
import type { ConfigFormat, ConfigTable, EntryPath } from "./config_format.ts";
import { lineEnd } from "./lines.ts";

/**
 * Kinds of tokens. jsonc-parser declares them as a const enum, which can't be read one file at a
 * time.
 */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, whiteSpace: 15 };

export const jsonFormat: ConfigFormat = {
  parse(text) {
    const root = parseRoot(text);
    // Without the clone, its objects have no prototype, and so equal no others.
    return root === undefined ? {} : structuredClone(getNodeValue(root));
  },

  setEntry(text, { container, name }, entry) {
    const root = parseRoot(text);
    if (root === undefined) return appendRoot(text, { [container]: { [name]: entry } });
    const style = styleOf(text, root);
    const servers = findProperty(root, container);
    if (servers === undefined) return insert(text, root, container, { [name]: entry }, style);
    const existing = findProperty(valueOf(servers), name);
    if (existing === undefined) return insert(text, valueOf(servers), name, entry, style);
    const { offset, length } = valueOf(existing);
    const value = isMultiLine(text, valueOf(servers))
      ? render(entry, indentationAt(text, existing.offset), style)
      : JSON.stringify(entry);
    return text.slice(0, offset) + value + text.slice(offset + length);
  },

  removeEntry(text, { container, name }: EntryPath) {
    const servers = valueOf(findProperty(parseRoot(text)!, container)!);
    return remove(text, servers, findProperty(servers, name)!);
  },
};

/** How a file is written. */
interface Style {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
}

/** Returns the root object, or undefined if the file is empty or has only comments. */
function parseRoot(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new ConfigError(`Invalid JSON in line ${line}: ${printParseErrorCode(error.error)}`);
  }
  if (root !== undefined && root.type !== "object") throw new ConfigError("Expected an object");
  return root;
}

/** @throws ConfigError if the property exists more than once, because readers choose differently */
function findProperty(object: Node, name: string): Node | undefined {
  if (object.type !== "object") throw new ConfigError("Expected an object");
  const [property, another] = object.children!.filter(({ children }) =>
    children![0]!.value === name
  );
  if (another !== undefined) throw new ConfigError(`"${name}" appears more than once`);
  return property;
}

const valueOf = (property: Node): Node => property.children![1]!;
const endOf = ({ offset, length }: Node): number => offset + length;

function styleOf(text: string, root: Node): Style {
  const [first] = root.children!;
  const outer = indentationAt(text, root.offset);
  const inner = first === undefined || !isMultiLine(text, root)
    ? ""
    : indentationAt(text, first.offset);
  const unit = inner.startsWith(outer) ? inner.slice(outer.length) : inner;
  return { unit: unit === "" ? "  " : unit, eol: lineEnd(text) };
}

/** Returns the white space at the beginning of a line. */
function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** Checks whether an object's first property is on a line of its own. Empty objects count too. */
function isMultiLine(text: string, { offset, children }: Node): boolean {
  const [first] = children!;
  return first === undefined || text.slice(offset, first.offset).includes("\n");
}

/** Returns a value as JSON whose second and later lines are indented by `indentation`. */
function render(value: unknown, indentation: string, { unit, eol }: Style): string {
  return JSON.stringify(value, null, "\t").split("\n")
    .map((line) => line.replace(/^\t+/, (tabs) => unit.repeat(tabs.length)))
    .join(eol + indentation);
}

function appendRoot(text: string, value: ConfigTable): string {
  const style = { unit: "  ", eol: lineEnd(text) };
  const separator = text === "" || text.endsWith("\n") ? "" : style.eol;
  return text + separator + render(value, "", style) + style.eol;
}

/** Inserts a property as an object's last one. */
function insert(
  text: string,
  object: Node,
  key: string,
  value: unknown,
  style: Style,
): string {
  const last = object.children!.at(-1);
  const property = (indentation: string) =>
    `${style.eol}${indentation}${JSON.stringify(key)}: ${render(value, indentation, style)}`;
  if (last === undefined) {
    const outer = indentationAt(text, object.offset);
    const start = commentsAfter(text, object.offset + 1).end;
    const closesOnNewLine = text.slice(start, endOf(object)).includes("\n");
    const end = closesOnNewLine ? "" : style.eol + outer;
    return text.slice(0, start) + property(outer + style.unit) + end + text.slice(start);
  }
  const comma = findComma(text, endOf(last));
  const anchor = comma ?? endOf(last);
  if (!isMultiLine(text, object)) {
    const compact = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const added = comma === undefined ? `, ${compact}` : ` ${compact},`;
    return text.slice(0, anchor) + added + text.slice(anchor);
  }
  // A comment at the end of the last property's line keeps its place.
  const start = commentsAfter(text, anchor, "same line").end;
  const added = property(indentationAt(text, last.offset));
  return comma === undefined
    ? text.slice(0, anchor) + "," + text.slice(anchor, start) + added + text.slice(start)
    : text.slice(0, start) + added + "," + text.slice(start);
}

/** Removes a property, its comma, and the white space before it. */
function remove(text: string, object: Node, property: Node): string {
  const properties = object.children!;
  const previous = properties[properties.indexOf(property) - 1];
  const from = previous === undefined
    ? object.offset + 1
    : findComma(text, endOf(previous)) ?? endOf(previous);
  const comma = findComma(text, endOf(property));
  const end = comma ?? endOf(property);
  const restOfLine = text.slice(end).split("\n", 1)[0]!;
  // Without its line break, a line comment would swallow the rest of the line.
  const keepsLineBreak = restOfLine.trim() !== "" && commentsAfter(text, from).endsInLineComment;
  const start = keepsLineBreak ? property.offset : text.slice(0, property.offset).trimEnd().length;
  let before = text.slice(0, start);
  if (comma === undefined && previous !== undefined) {
    before = text.slice(0, from - 1) + text.slice(from, start);
  }
  const after = text.slice(end);
  const isEmpty = properties.length === 1 && start === object.offset + 1 && /^\s*}/.test(after);
  return before + (isEmpty ? after.trimStart() : after);
}

/** Returns the offset after the comma that follows an offset, or undefined if there is none. */
function findComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return (scanner.scan() as number) === TOKEN.comma ? scanner.getPosition() : undefined;
}

/** Finds the comments that follow an offset, up to the next value or punctuation. */
function commentsAfter(text: string, offset: number, within?: "same line") {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let [end, endsInLineComment] = [offset, false];
  while (true) {
    const kind: number = scanner.scan();
    const isComment = kind === TOKEN.lineComment || kind === TOKEN.blockComment;
    const endsLine = kind === TOKEN.lineBreak ||
      (isComment && scanner.getTokenValue().includes("\n"));
    const isTrivia = isComment || kind === TOKEN.whiteSpace || kind === TOKEN.lineBreak;
    if (!isTrivia || (endsLine && within === "same line")) return { end, endsInLineComment };
    if (isComment) {
      [end, endsInLineComment] = [scanner.getPosition(), kind === TOKEN.lineComment];
    }
  }
}
