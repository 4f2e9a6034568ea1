/** Tests the log if its lines can't be written, or not all of one. */

import { deepStrictEqual } from "node:assert/strict";
import { stderrLog } from "../../src/kernel/log.ts";

const CLOCK = { now: () => 0 };

/** A disk with room for some bytes. */
class Disk {
  text = "";
  room = Infinity;

  readonly write = (bytes: Uint8Array): number => {
    if (this.room === 0) throw new Error("No space left on device (os error 28)");
    const written = bytes.subarray(0, this.room);
    this.room -= written.length;
    this.text += new TextDecoder().decode(written);
    return written.length;
  };

  get lines(): unknown[] {
    return this.text.split("\n").map((line) => {
      try {
        const { event, lines } = JSON.parse(line);
        return lines === undefined ? event : [event, lines];
      } catch {
        return line;
      }
    });
  }
}

Deno.test("stderrLog() counts all lost lines until it can write their number", () => {
  const disk = new Disk();
  const log = stderrLog(CLOCK, "error", disk.write);
  const write = (...events: string[]) => {
    for (const event of events) log.error(event);
    log.flush();
  };
  write("a");
  disk.room = 0;
  write("b", "c");
  write("d");
  // Room for the number of lost lines, or a part of it, and for nothing else.
  disk.room = 8;
  write("e");
  disk.room = 20;
  write("f");
  disk.room = Infinity;
  write("g", "h");
  write("i");
  const [first, cut, cutAgain, ...rest] = disk.lines;
  deepStrictEqual([first, cut, cutAgain], ["a", '{"time":', '{"time":"1970-01-01'.slice(0, 19)]);
  deepStrictEqual(rest, [["log lines were lost", 5], "g", "h", "i", ""]);
});

Deno.test("stderrLog() completes lines of which one write takes a part", () => {
  let text = "";
  const log = stderrLog(CLOCK, "info", (bytes) => {
    text += new TextDecoder().decode(bytes.subarray(0, 7));
    return Math.min(bytes.length, 7);
  });
  log.info("a");
  log.info("b");
  log.flush();
  deepStrictEqual(text.trimEnd().split("\n").map((line) => JSON.parse(line).event), ["a", "b"]);
});
