/** Tests pagination: no duplicates, no gaps, and no empty page at the end. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { Cursors } from "../../src/kernel/http/cursor.ts";
import { type Page, paginate } from "../../src/kernel/http/page.ts";

const cursors = new Cursors("a secret");

/** Returns a page of the numbers from 1 to `count`. */
function page(count: number, limit: number, cursor?: string, list = ["numbers"]) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return paginate(
    cursors,
    { list, limit, cursor },
    (after, size) =>
      Promise.resolve(numbers.filter((n) => n > Number(after?.[0] ?? 0)).slice(0, size)),
    (n) => [n],
    (n) => n,
  );
}

/** Returns all pages. */
async function follow(count: number, limit: number): Promise<(readonly number[])[]> {
  const pages: (readonly number[])[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const next: Page<number> = await page(count, limit, cursor === "" ? undefined : cursor);
    pages.push(next.results);
    cursor = next.next_cursor;
  }
  return pages;
}

Deno.test("paginate() returns each row once, and no empty page at the end", async () => {
  for (
    const [count, limit, sizes] of [[25, 10, [10, 10, 5]], [25, 25, [25]], [0, 5, [0]]] as const
  ) {
    const pages = await follow(count, limit);
    deepStrictEqual(pages.map((rows) => rows.length), sizes);
    deepStrictEqual(pages.flat(), Array.from({ length: count }, (_, index) => index + 1));
  }
});

Deno.test("paginate() accepts a different limit with a cursor", async () => {
  const first = await page(9, 2);
  const rest = await page(9, 100, first.next_cursor!);
  deepStrictEqual(rest.results, [3, 4, 5, 6, 7, 8, 9]);
  strictEqual(rest.next_cursor, null);
});

Deno.test("paginate() rejects text that is not a cursor, and a cursor from a different list", async () => {
  const own = (await page(9, 2)).next_cursor!;
  const wrong = [
    "",
    (own.startsWith("A") ? "B" : "A") + own.slice(1),
    own.slice(0, -1),
    own.slice(0, own.length / 2),
    `${own}A`,
    `${own}==`,
    "12",
    (await page(9, 2, undefined, ["letters"])).next_cursor!,
  ];
  for (const cursor of wrong) {
    await rejects(page(9, 2, cursor), (error: { code: string; details: { issues: unknown[] } }) => {
      strictEqual(error.code, "INVALID_REQUEST");
      strictEqual((error.details.issues[0] as { path: string }).path, "cursor");
      return true;
    });
  }
});
