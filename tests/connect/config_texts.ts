/** Generates configuration files in every style that people and programs write them in. */

import { fc } from "../../testing/fast_check.ts";

/** A text, and whether it already has a table of servers with other servers in it. */
export interface ConfigText {
  readonly text: string;
  readonly hasServers: boolean;
}

/** How a text is written. */
interface Style {
  readonly unit: string;
  readonly eol: string;
  readonly colon: string;
  readonly multiLine: boolean;
  readonly trailingComma: boolean;
  readonly finalNewline: boolean;
  readonly comments: readonly string[];
}

const style: fc.Arbitrary<Style> = fc.record({
  unit: fc.constantFrom("  ", "    ", "\t", " ", "   \t", "            "),
  eol: fc.constantFrom("\n", "\r\n"),
  colon: fc.constantFrom(": ", ":", " : "),
  multiLine: fc.boolean(),
  trailingComma: fc.boolean(),
  finalNewline: fc.boolean(),
  comments: fc.array(fc.constantFrom("", "", " a, b", ' "quoted": {', " ünïcödé 🎹", "}"), {
    minLength: 3,
    maxLength: 6,
  }),
});

const key = fc.oneof(
  fc.constantFrom("a", "editor.fontSize", "url", "with space", 'q"uote', "://", "ä"),
  fc.string({ minLength: 1, maxLength: 8 }),
).filter((name) => !["servers", "commonplace", "__proto__"].includes(name));

const scalar = fc.oneof(
  fc.constantFrom("// no comment", "/* no */", "C:\\x", "", "}", "#"),
  fc.integer(),
  fc.boolean(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const table = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });

/** The values of a file: what's before the servers, the servers, and what's after them. */
function values({ entry }: { readonly entry: boolean }) {
  const servers = fc.dictionary(key, table, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  return fc.record({
    before: table,
    servers: entry ? servers : fc.option(servers, { nil: undefined }),
    after: table,
    position: fc.nat(),
  }).map(({ before, servers, after, position }) => {
    if (servers === undefined) return { before, servers, after };
    const entries = Object.entries(servers);
    if (entry) entries.splice(position % (entries.length + 1), 0, ["commonplace", { url: "old" }]);
    return { before, servers: Object.fromEntries(entries), after };
  });
}

/** Generates JSON with comments and trailing commas. */
export function jsonText(options: { readonly entry: boolean }): fc.Arbitrary<ConfigText> {
  return fc.tuple(values(options), style).map(([{ before, servers, after }, style]) => {
    const root = { ...before, ...(servers && { servers }), ...after };
    const write = jsonWriter(style);
    const text = write.comment("") + write.value(root, "") + (style.finalNewline ? style.eol : "");
    return { text, hasServers: servers !== undefined };
  });
}

function jsonWriter(style: Style) {
  let written = 0;
  /** Returns the next comment with what it needs around it, or an empty string. */
  const comment = (indentation: string): string => {
    const text = style.comments[written++ % style.comments.length]!;
    if (text === "") return "";
    return style.multiLine ? `// ${text}${style.eol}${indentation}` : `/* ${text} */ `;
  };
  const value = (item: unknown, indentation: string): string => {
    if (typeof item !== "object" || item === null) return JSON.stringify(item);
    const [open, close] = Array.isArray(item) ? "[]" : "{}";
    const inner = indentation + style.unit;
    const items = Array.isArray(item)
      ? item.map((each) => value(each, inner))
      : Object.entries(item).map(([name, each]) =>
        `${comment(inner)}${JSON.stringify(name)}${style.colon}${value(each, inner)}`
      );
    if (items.length === 0) return open! + close!;
    const trailing = style.trailingComma ? "," : "";
    if (!style.multiLine) return `${open}${items.join(",")}${trailing}${close}`;
    const last = comment(indentation);
    const end = last === "" ? style.eol + indentation : ` ${last}`;
    return `${open}${style.eol}${inner}${
      items.join(`,${style.eol}${inner}`)
    }${trailing}${end}${close}`;
  };
  return { value, comment };
}

/** Generates TOML: root values, tables, arrays of tables, comments, and multi-line strings. */
export function tomlText(options: { readonly entry: boolean }): fc.Arbitrary<ConfigText> {
  return fc.tuple(values(options), style).map(([{ before, servers = {}, after }, style]) => {
    let written = 0;
    const comment = () => style.comments[written++ % style.comments.length]!;
    const line = (text: string) => `${text}${comment() === "" ? "" : ` # ${comment()}`}`;
    const fields = (item: object) =>
      Object.entries(item).map(([name, each]) =>
        line(`${tomlKey(name)}${style.multiLine ? " = " : "="}${tomlValue(each)}`)
      );
    const tables = Object.entries(servers).flatMap(([name, server]) => [
      ...style.multiLine ? ["", `# ${comment()}`] : [],
      line(`[servers.${tomlKey(name)}]`),
      ...fields(server),
    ]);
    const lines = [
      ...fields(before),
      'text = """',
      "[servers.commonplace]",
      '"""',
      ...tables,
      ...Object.keys(after).length === 0 ? [] : ["[[after]]", ...fields(after)],
    ];
    return { text: lines.join(style.eol) + style.eol, hasServers: true };
  });
}

function tomlKey(name: string): string {
  return /^[a-z]+$/.test(name) ? name : tomlString(name);
}

function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

function tomlValue(item: unknown): string {
  if (typeof item === "string") return tomlString(item);
  if (Array.isArray(item)) return `[${item.map(tomlValue).join(", ")}]`;
  if (typeof item !== "object" || item === null) return String(item);
  const fields = Object.entries(item).map(([name, each]) =>
    `${tomlKey(name)} = ${tomlValue(each)}`
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
