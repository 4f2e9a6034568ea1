/**
 * Lint rules for SQL in `src`.
 *
 * `commonplace-sql/shared-subset` reports what only one of the storage engines understands, or what
 * means something else in the other (docs/adr/0006-one-sql.md).
 *
 * `commonplace-sql/named-columns` reports `*`. Its meaning changes when a migration adds a column,
 * and PostgreSQL then refuses statements that were prepared before (docs/adr/0008-many-processes.md).
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

/** All columns of a table. Those of a subquery are named in it. */
const ALL_COLUMNS = /\bselect\s+(?:distinct\s+)?(?:\w+\.)?\*(?!\s+from\s+\()/;

/** Checks whether both engines execute the SQL in a file. */
export function isSharedSql(file: string): boolean {
  return file.includes("/src/") && !SQLITE_ONLY.test(file) && !POSTGRES_ONLY.test(file);
}

/** Returns a rule that passes each part of the shared SQL to `check`, and reports what it finds. */
function sqlRule(
  check: (text: string) => Iterable<{ readonly message: string; readonly hint: string }>,
): Deno.lint.Rule {
  return {
    create(context) {
      if (!isSharedSql(context.filename.replaceAll("\\", "/"))) return {};
      return {
        TaggedTemplateExpression(node) {
          if (context.sourceCode.getText(node.tag) !== "sql") return;
          for (const { range } of node.quasi.quasis) {
            const text = context.sourceCode.text.slice(range[0], range[1]);
            for (const problem of check(text)) context.report({ node, ...problem });
          }
        },
      };
    },
  };
}

const plugin: Deno.lint.Plugin = {
  name: "commonplace-sql",
  rules: {
    "shared-subset": sqlRule((text) =>
      AVOIDED.flatMap(([pattern, hint]) => {
        const [found] = pattern.exec(text) ?? [];
        if (found === undefined) return [];
        const message = `Only one storage engine understands "${found.trim()}" as it's meant`;
        return [{ message, hint }];
      })
    ),
    "named-columns": sqlRule((text) =>
      ALL_COLUMNS.test(text)
        ? [{ message: "A migration can add columns", hint: "Name those that are needed" }]
        : []
    ),
  },
};

export default plugin;
