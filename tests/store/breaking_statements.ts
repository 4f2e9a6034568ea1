/** Finds statements in a migration that programs of the version before may not be able to work with. */

/** Statements of a migration, in lower case, without comments. */
function statementsOf(text: string): string[] {
  const withoutComments = text.replaceAll(/--.*$/gm, "");
  return (withoutComments.match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;'])+/g) ?? [])
    .map((statement) => statement.trim().replaceAll(/\s+/g, " ").toLowerCase())
    .filter((statement) => statement !== "");
}

/**
 * A column that older programs can leave out. Existing rows get it without being written again, so
 * the table is only locked for a moment.
 */
const ADDED_COLUMN =
  /^add column \w+ (?:bigint|smallint|double precision|text|bytea)(?: collate "c")?(?:(?: not null)? default (?:-?\d+|'[^']*'))?(?: check \(.*\))?$/;

/** A reference that keeps older programs from deleting rows of the table. */
const RESTRICTING_REFERENCE =
  /\breferences (\w+)\b(?!(?: \([^)]*\))? on delete (?:cascade|set null))/g;

/**
 * Returns the statements that do more than add tables, columns and indexes which older programs
 * needn't know.
 */
export function breakingStatements(text: string): string[] {
  const statements = statementsOf(text);
  const created = new Set(
    statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []),
  );
  const isNew = (table: string | undefined) => table !== undefined && created.has(table);
  return statements.filter((statement) => {
    if (statement.startsWith("create function ")) return false;
    if (statement.startsWith("create table ")) {
      return [...statement.matchAll(RESTRICTING_REFERENCE)].some(([, table]) => !isNew(table));
    }
    if (statement.startsWith("create index ")) return false;
    const [, table] =
      /^(?:insert into|create unique index \w+ on|create trigger .*? on) (\w+)/.exec(statement) ??
        [];
    if (isNew(table)) return false;
    const [, altered, actions] = /^alter table (\w+) (.*)$/.exec(statement) ?? [];
    if (isNew(altered)) return false;
    return !actions?.split(/, (?=add )/).every((action) => ADDED_COLUMN.test(action));
  });
}
