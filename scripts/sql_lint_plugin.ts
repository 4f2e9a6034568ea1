/**
 * Lint rule `commonplace-sql/shared-subset`: reports SQL in `src` that only one of the storage
 * engines understands, or that means something else in the other (docs/adr/0006-one-sql.md).
 */

/** Code that only ever talks to SQLite: the engine itself, searches, and what checks or copies it. */
const SQLITE_ONLY =
  /\/src\/(?:store\/sqlite|search\/(?!vectors\/(?:vector_store|vector_projection|query_embedder)\.ts)|server\/doctor|server\/instance_copy\/sqlite_side\.ts|backup|store\/sql\.ts)/;

/** Code that only ever talks to PostgreSQL. */
const POSTGRES_ONLY = /\/src\/(?:store\/postgres|server\/instance_copy\/postgres_side\.ts)/;

/** Constructs to avoid, and what to write instead. */
const AVOIDED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bjson_(?:each|tree|extract|object|array|group\w+)\s*\(/, "Use the helpers in store/sql.ts"],
  [/->>?\s*'\$/, "Name each member: column -> 'a' ->> 'b'"],
  [/(?<![.\w])(\w+)\s*=\s*\1\s*[+-]\s*excluded\./, "Put the table's name in front of the column"],
  [/\bis not (?!null\b|distinct\b)/, "Write: is distinct from"],
  [/\bis (?!not\b|null\b|distinct\b)(?:\S|$)/, "Write: is not distinct from"],
  [/\bas integer\)/, "Write: as bigint"],
  [/\binsert or\b/, "Write: on conflict"],
  [/\b(?:rowid|pragma|sqlite_\w+|glob|indexed by)\b/, "PostgreSQL doesn't have this"],
  [
    /\b(?:ifnull|iif|instr|group_concat|total_changes|typeof|printf|strftime|hex|char|unixepoch)\s*\(/,
    "PostgreSQL doesn't have this function",
  ],
  [/::|\bilike\b|\bany\s*\(|\bnow\(\)|\$\$/, "SQLite doesn't have this"],
];

/** Checks whether both engines execute the SQL in a file. */
export function isSharedSql(file: string): boolean {
  return file.includes("/src/") && !SQLITE_ONLY.test(file) && !POSTGRES_ONLY.test(file);
}

const plugin: Deno.lint.Plugin = {
  name: "commonplace-sql",
  rules: {
    "shared-subset": {
      create(context) {
        const file = context.filename.replaceAll("\\", "/");
        if (!isSharedSql(file)) return {};
        return {
          TaggedTemplateExpression(node) {
            if (context.sourceCode.getText(node.tag) !== "sql") return;
            for (const { range } of node.quasi.quasis) {
              const text = context.sourceCode.text.slice(range[0], range[1]);
              for (const [pattern, hint] of AVOIDED) {
                const found = pattern.exec(text);
                if (found === null) continue;
                context.report({
                  node,
                  message: `Only one storage engine understands "${found[0].trim()}" as it's meant`,
                  hint,
                });
              }
            }
          },
        };
      },
    },
  },
};

export default plugin;
