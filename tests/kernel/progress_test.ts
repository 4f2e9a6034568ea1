/** Tests when progress is written, and where. */

import { deepStrictEqual } from "node:assert/strict";
import { jsonLog } from "../../src/kernel/log.ts";
import { Progress } from "../../src/kernel/progress.ts";

/** Returns the progress of work whose time the test sets, and everything that it writes. */
function progressOn(isTerminal: boolean, columns = 80) {
  const written: string[] = [];
  const clock = { at: 0, now: () => clock.at };
  const log = jsonLog({ now: () => 0 }, "info", (text) => void written.push(text));
  const write = (text: string) => void written.push(text);
  const progress = new Progress(log, {
    isTerminal,
    columns: () => columns,
    write,
    now: clock.now,
  });
  const update = (at: number, step: string) => {
    clock.at = at;
    progress.update(step);
    log.flush();
  };
  return { written, update, progress };
}

Deno.test("Progress logs an event every ten seconds if there is no terminal", () => {
  const { written, update, progress } = progressOn(false);
  for (const at of [0, 9_999, 10_000, 19_999, 20_001]) update(at, `Checking file ${at}`);
  progress.end();
  deepStrictEqual(
    written.map((line) => JSON.parse(line)),
    [10_000, 20_001].map((at) => ({
      time: "1970-01-01T00:00:00.000Z",
      level: "info",
      event: "progress",
      step: `Checking file ${at}`,
    })),
  );
});

Deno.test("Progress rewrites one line on a terminal, ten times a second for the same step", () => {
  const { written, update, progress } = progressOn(true);
  update(0, "Reading, 1 of 10");
  update(99, "Reading, 2 of 10");
  update(100, "Reading, 3 of 10");
  update(101, "Done");
  progress.end();
  deepStrictEqual(written, [
    "\rReading, 1 of 10",
    "\rReading, 3 of 10",
    "\rDone            ",
    "\r                \r",
  ]);
});

Deno.test("Progress cuts a line that doesn't fit on the terminal", () => {
  const { written, update, progress } = progressOn(true, 10);
  update(0, "Reading, 1 of 10");
  update(1, "Done");
  progress.end();
  deepStrictEqual(written, ["\rReading, ", "\rDone     ", "\r         \r"]);
});
