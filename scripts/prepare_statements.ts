/**
 * Prepares the statements that tests have noted on a PostgreSQL server, without executing them:
 * `deno run --allow-all scripts/prepare_statements.ts FILE`, where FILE is the one that
 * COMMONPLACE_TEST_STATEMENTS named during the tests. Fails if the server refuses one. With
 * `--missing`, prints the statements in the source that no test has run.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { PgConnection } from "../src/store/postgres/connection.ts";
import { PgStore } from "../src/store/postgres/store.ts";
import { startPostgres } from "../testing/postgres.ts";
import { isSharedSql } from "./sql_lint_plugin.ts";

/** A statement for each engine, and the file that ran it. */
type Noted = readonly [postgres: string, sqlite: string, file: string];

/** Tables and columns that only SQLite has: its own, and those that only searches read. */
const ONLY_SQLITE =
  /\b(?:\w+_fts|\w+_vocabulary|chunk_terms|asks|sqlite_\w+|pragma\w*|total_changes)\b/;

const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

/** Returns the server's reasons not to prepare some of the statements. */
async function refusals(statements: readonly string[]): Promise<string[]> {
  const server = await startPostgres();
  const refused: string[] = [];
  try {
    const address = server.newSchema();
    await (await PgStore.open(address)).close();
    const connection = await PgConnection.open(address);
    for (const text of statements) {
      try {
        await connection.exec(`prepare noted as ${text}`);
        await connection.exec("deallocate noted");
      } catch (error) {
        refused.push(`${(error as Error).message}: ${text}`);
      }
    }
    await connection.close();
  } finally {
    await server.close();
  }
  return refused;
}

/** Returns the templates in a file, as their parts between values. */
function templatesIn(path: string): string[][] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const found: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) === "sql") {
      const { template } = node;
      found.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? [template.text]
          : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)],
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Checks whether a statement has all parts of a template, in order. */
function hasParts(statement: string, parts: readonly string[]): boolean {
  let position = 0;
  return parts.every((part) => {
    const found = statement.indexOf(part, position);
    position = found + part.length;
    return found >= 0;
  });
}

/** Prints the templates for both engines that aren't part of any noted statement. */
function printMissing(noted: readonly Noted[]): void {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name)).filter((path) => path.endsWith(".ts"))
    .filter((path) => isSharedSql(`/${path}`));
  for (const path of files) {
    for (const parts of templatesIn(path)) {
      if (noted.some(([, statement]) => hasParts(statement, parts))) continue;
      print(`${path}: ${parts.join("?").replaceAll(/\s+/g, " ").trim()}`);
    }
  }
}

const file = Deno.args.find((arg) => !arg.startsWith("-")) ?? "";
const noted = [...new Set(readFileSync(file, "utf8").split("\n").filter((line) => line !== ""))]
  .map((line): Noted => JSON.parse(line));
// Tests run statements of their own, and so does the engine.
const statements = [
  ...new Set(noted.filter(([, , caller]) => isSharedSql(caller)).map(([text]) => text)),
].filter((text) => !ONLY_SQLITE.test(text));
if (Deno.args.includes("--missing")) printMissing(noted);
const refused = await refusals(statements);
for (const reason of refused) print(`PostgreSQL refuses a statement. ${reason}`);
print(`${statements.length} statements prepared on PostgreSQL, ${refused.length} refused`);
Deno.exitCode = refused.length === 0 && statements.length > 0 ? 0 : 1;
