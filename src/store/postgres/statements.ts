/**
 * The statements of a transaction. Rows that are posted one by one, even by several units of work,
 * are sent as one statement for each table.
 */

import { Sql } from "sql-template-tag";
import { ListParameter, NEXT_NUMBER } from "../sql.ts";
import type { PgConnection, PgResult } from "./connection.ts";
import { render, type RenderedStatement, renderRows } from "./render.ts";

/** At this many rows or characters since the last time, they are sent before anyone needs them. */
const MAX_WAITING_ROWS = 1_000;
const MAX_WAITING_CHARACTERS = 1_000_000;

/** Statements that run no triggers. Others can change tables that they don't name. */
const NAMES_ALL_TABLES = /^\s*(?:select|insert)\b/;

/** Sends the statements of one transaction. Each sees the effects of those before it. */
export class Statements {
  readonly #connection: PgConnection;
  /** Posted inserts that haven't been sent, by table. */
  readonly #waiting = new Map<string, Inserts>();
  readonly #posted: Promise<unknown>[] = [];
  #rows = 0;
  #characters = 0;
  /** The first error of a statement. The transaction must not be committed. */
  failure: { readonly error: unknown } | undefined;

  constructor(connection: PgConnection) {
    this.#connection = connection;
  }

  /** Executes a statement. It sees all rows that were posted before. */
  async send<Row>(query: Sql, suffix = ""): Promise<PgResult<Row>> {
    return await this.#send<Row>(() => {
      const { text, values } = render(query);
      const isSelective = NAMES_ALL_TABLES.test(text);
      for (const table of this.#waiting.keys()) {
        if (!isSelective || text.includes(table)) this.#sendTable(table);
      }
      return { text: text + suffix, values };
    });
  }

  /** Executes a change at the end of the transaction at the latest. */
  post(query: Sql): void {
    const insert = insertOf(query);
    if (insert === null) {
      this.#posted.push(this.send(query).catch(() => undefined));
      return;
    }
    // Rows of a table are numbered in the order in which they were posted.
    if (this.#waiting.get(insert.table)?.accepts(insert) === false) this.#sendTable(insert.table);
    const inserts = this.#waiting.get(insert.table) ?? new Inserts(insert);
    this.#waiting.set(insert.table, inserts);
    inserts.add(query);
    this.#rows++;
    for (const value of query.values) {
      if (typeof value === "string") this.#characters += value.length;
    }
    if (this.#rows >= MAX_WAITING_ROWS || this.#characters >= MAX_WAITING_CHARACTERS) this.flush();
  }

  /** Sends the rows that wait. */
  flush(): void {
    for (const table of this.#waiting.keys()) this.#sendTable(table);
    [this.#rows, this.#characters] = [0, 0];
  }

  /** Resolves when what was posted and sent has been executed. `failure` says whether it failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#posted);
  }

  #sendTable(table: string): void {
    const inserts = this.#waiting.get(table)!;
    this.#waiting.delete(table);
    this.#posted.push(this.#send(() => inserts.render()).catch(() => undefined));
  }

  /** Sends a statement at once. If it can't even be rendered, the transaction has failed too. */
  async #send<Row>(renderStatement: () => RenderedStatement): Promise<PgResult<Row>> {
    try {
      const { text, values } = renderStatement();
      return await this.#connection.send<Row>(text, values);
    } catch (error) {
      this.failure ??= { error };
      throw this.failure.error;
    }
  }
}

/** An insert that others can join. Those with the same key can be one statement. */
interface Insert {
  readonly table: string;
  readonly key: string;
  /** Index of the value with records, or null if the values are one row. */
  readonly records: number | null;
}

const INSERT = /^\s*insert into (\w+)/;
const ROW_START = /^([^()]+\([^()]+\))\s*values\s*\($/;

/** Returns an insert of one row or of records, or null for any other statement. */
function insertOf({ strings, values }: Sql): Insert | null {
  const table = INSERT.exec(strings[0]!)?.[1];
  if (table === undefined) return null;
  const text = strings.join("\u0000");
  const records = values.findIndex((value) =>
    value instanceof ListParameter && value.type === "record"
  );
  if (records >= 0) {
    const others = values.filter((_, index) => index !== records);
    return { table, key: text + JSON.stringify(others), records };
  }
  const isRow = ROW_START.test(strings[0]!) && strings.at(-1)!.trim() === ")" &&
    strings.slice(1, -1).every((separator) => separator.trim() === ",");
  // A number that is given and the next one are different columns.
  const numbered = values.map((value) => value === NEXT_NUMBER ? "x" : ".").join("");
  return isRow ? { table, key: text + numbered, records: null } : null;
}

/** Inserts into a table, to be sent as one statement. */
class Inserts {
  readonly #insert: Insert;
  readonly #queries: Sql[] = [];

  constructor(insert: Insert) {
    this.#insert = insert;
  }

  accepts({ key }: Insert): boolean {
    return key === this.#insert.key;
  }

  add(query: Sql): void {
    this.#queries.push(query);
  }

  render(): RenderedStatement {
    const { records } = this.#insert;
    const [first] = this.#queries;
    if (this.#queries.length === 1) return render(first!);
    if (records === null) {
      const into = ROW_START.exec(first!.strings[0]!)![1]!;
      return renderRows(into, this.#queries.map(({ values }) => values));
    }
    const all = this.#queries.flatMap(({ values }) => (values[records] as ListParameter).values);
    const list = new ListParameter("record", all);
    return render(new Sql(first!.strings, first!.values.with(records, list)));
  }
}
