/** Tests which memories a profile keeps, and in which order. */

import { deepStrictEqual } from "node:assert/strict";
import { type ProfileItem, profileLines, profileOf } from "../../src/derived/profile.ts";

const item = (memory: string, more: Partial<ProfileItem> = {}): ProfileItem => ({
  id: memory,
  memory,
  memory_type: "fact",
  created_at: "2026-01-01T00:00:00.000Z",
  event_date: null,
  ...more,
});
const many = (count: number, name: string, more?: Partial<ProfileItem>) =>
  Array.from({ length: count }, (_, n) => item(`${name} ${n}`, more));
const CLAIMED = many(35, "claim", { attribute: "lives_in" });
const UNCLAIMED = many(50, "other");
const linesOf = (content: string | undefined) => content?.replaceAll("- ", "").split("\n");

Deno.test("profileOf() keeps the newest claims, and the most important memories without claims", () => {
  const [section] = profileOf(CLAIMED, UNCLAIMED);
  deepStrictEqual(linesOf(section?.content), [
    ...CLAIMED.slice(5).map(({ memory }) => memory),
    ...UNCLAIMED.slice(0, 30).map(({ memory }) => memory),
  ]);
});

Deno.test("profileLines() lists the newest claims first, then the most important memories", () => {
  const lines = profileLines(CLAIMED, UNCLAIMED).map(({ memory }) => memory);
  deepStrictEqual(lines, [...CLAIMED.toReversed(), ...UNCLAIMED].map(({ memory }) => memory));
});
