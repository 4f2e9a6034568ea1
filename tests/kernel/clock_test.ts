/** Tests parsing and formatting timestamps, and a clock that never goes backwards. */

import { ok, strictEqual } from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import {
  normalizeTimestamp,
  parseTimestamp,
  systemClock,
  timestamp,
  timestampAfter,
} from "../../src/kernel/clock.ts";

/** Valid timestamps, and how each one is stored. */
const VALID: Readonly<Record<string, string>> = {
  "2026-03-04": "2026-03-04T00:00:00.000Z",
  "2026-03-04T05:06": "2026-03-04T05:06:00.000Z",
  "2026-03-04T05:06Z": "2026-03-04T05:06:00.000Z",
  "2026-03-04T05:06:07": "2026-03-04T05:06:07.000Z",
  "2026-03-04T05:06:07Z": "2026-03-04T05:06:07.000Z",
  "2026-03-04T05:06:07.1": "2026-03-04T05:06:07.100Z",
  "2026-03-04T05:06:07.089Z": "2026-03-04T05:06:07.089Z",
  "2026-03-04T05:06:07.123456789Z": "2026-03-04T05:06:07.123Z",
  "2026-03-04T05:06:07.999999999Z": "2026-03-04T05:06:07.999Z",
  "2026-03-04T05:06:07+02:00": "2026-03-04T03:06:07.000Z",
  "2026-03-04T05:06:07+0200": "2026-03-04T03:06:07.000Z",
  "2026-03-04T05:06-05:30": "2026-03-04T10:36:00.000Z",
  "2026-03-04T05:06:07.5-0000": "2026-03-04T05:06:07.500Z",
  "2024-02-29": "2024-02-29T00:00:00.000Z",
  "2000-02-29": "2000-02-29T00:00:00.000Z",
  "0001-01-01": "0001-01-01T00:00:00.000Z",
  "0099-12-31T23:59": "0099-12-31T23:59:00.000Z",
  "9999-12-31T23:59:59.999Z": "9999-12-31T23:59:59.999Z",
  "2025-12-31T23:30-01:00": "2026-01-01T00:30:00.000Z",
};

/** Invalid timestamps. */
const INVALID = [
  "",
  " ",
  "now",
  "2026",
  "2026-03",
  "20260304",
  "2026-W10",
  "2026-W10-3",
  "2026-063",
  "20260304T050607Z",
  "2026-3-4",
  "26-03-04",
  "+2026-03-04",
  "-2026-03-04",
  "12026-03-04",
  "0000-01-01",
  "2026-00-10",
  "2026-13-01",
  "2026-01-00",
  "2026-01-32",
  "2026-02-29",
  "2026-02-30",
  "1900-02-29",
  "2026-04-31",
  "2026-03-04T",
  "2026-03-04T05",
  "2026-03-04Z",
  "2026-03-04+02:00",
  "2026-03-04 05:06:07",
  "2026-03-04t05:06:07z",
  "2026-03-04T5:06",
  "2026-03-04T24:00",
  "2026-03-04T24:00:00Z",
  "2026-03-04T25:00",
  "2026-03-04T05:60",
  "2026-03-04T05:06:60Z",
  "2026-03-04T05:06:07.",
  "2026-03-04T05:06:07,5Z",
  "2026-03-04T05:06:07.1234567890Z",
  "2026-03-04T05:06.5Z",
  "2026-03-04T05:06:07+2",
  "2026-03-04T05:06:07+02",
  "2026-03-04T05:06:07+24:00",
  "2026-03-04T05:06:07+02:60",
  "2026-03-04T05:06:07ZZ",
  "2026-03-04T05:06:07Z ",
  " 2026-03-04",
  "2026-03-04\n",
  "2026-03-04T05:06:07[Europe/Paris]",
  "٢٠٢٦-٠٣-٠٤",
  "0001-01-01T00:00+00:01",
  "9999-12-31T23:59-00:01",
  "1772600767",
  "Wed, 04 Mar 2026 05:06:07 GMT",
];

Deno.test("normalizeTimestamp() parses every form in the contract", async (t) => {
  for (const [text, stored] of Object.entries(VALID)) {
    await t.step(text, () => strictEqual(normalizeTimestamp(text), stored));
  }
});

Deno.test("normalizeTimestamp() returns null for any other text", async (t) => {
  for (const text of INVALID) {
    await t.step(JSON.stringify(text), () => strictEqual(normalizeTimestamp(text), null));
  }
});

Deno.test("parseTimestamp() returns the instant that timestamp() formatted", () => {
  const instants = fc.integer({
    min: Date.parse("0001-01-01T00:00:00Z"),
    max: Date.parse("9999-12-31T23:59:59.999Z"),
  });
  fc.assert(fc.property(instants, (instant) => {
    strictEqual(parseTimestamp(timestamp(instant)), instant);
  }));
});

Deno.test("timestamp() returns texts that sort in the same order as the instants", () => {
  const instants = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
  fc.assert(fc.property(instants, instants, (a, b) => {
    strictEqual(timestamp(a) < timestamp(b), a < b);
  }));
});

Deno.test("timestampAfter() never returns a year after 9999", () => {
  const last = "9999-12-31T23:59:59.999Z";
  strictEqual(timestampAfter({ now: () => 0 }, "9999-12-31T23:59:59.998Z"), last);
  strictEqual(timestampAfter({ now: () => 0 }, last), last);
});

Deno.test("systemClock() runs at half speed after the system time is set back, until that has caught up", () => {
  const real = Date.now;
  const realElapsed = performance.now;
  try {
    const clock = systemClock();
    const before = clock.now();
    let elapsed = 0;
    performance.now = () => elapsed;
    Date.now = () => before - 60_000 + elapsed;
    strictEqual(clock.now(), before);
    for (const passed of [1, 2, 1_001, 119_999]) {
      elapsed = passed;
      strictEqual(clock.now(), before + Math.floor(passed / 2));
    }
    elapsed = 120_001;
    strictEqual(clock.now(), before + 60_001);
    Date.now = () => before - 1_000;
    strictEqual(clock.now(), before + 60_001);
    elapsed += 10;
    strictEqual(clock.now(), before + 60_006);
  } finally {
    Date.now = real;
    performance.now = realElapsed;
  }
  const [before, now, after] = [Date.now(), systemClock().now(), Date.now()];
  ok(before <= now && now <= after);
});
