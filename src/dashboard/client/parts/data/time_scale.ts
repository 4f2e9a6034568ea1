/** Maps times to pixels along an axis, and picks the dates to label. */

import { DAY_MS } from "../../../../kernel/clock.ts";

/** A time range mapped to pixels. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
  /** Returns an instant's pixel, clamped to the axis. */
  readonly toPixel: (at: number) => number;
  /** Returns the instant at a pixel. */
  readonly toInstant: (pixel: number) => number;
}

/**
 * Maps a time range to the pixels from `left` to `right`. Anything shorter than a day is widened by
 * half a day on each side.
 */
export function timeScale(from: number, to: number, left: number, right: number): TimeScale {
  const [start, end] = to - from < DAY_MS ? [from - DAY_MS / 2, to + DAY_MS / 2] : [from, to];
  const toPixel = (at: number) =>
    left + (Math.min(Math.max(at, start), end) - start) / (end - start) * (right - left);
  const toInstant = (pixel: number) => start + (pixel - left) / (right - left) * (end - start);
  return { from: start, to: end, toPixel, toInstant };
}

/** A labelled date on the axis. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Tick steps in local calendar time, from days to decades. */
const TICK_STEPS:
  readonly (readonly [days: number, next: (date: Date) => Date, label: TickFormat])[] = [
    [1, (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate() + 1), "day"],
    [7, (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate() + 7), "day"],
    [30, (d) => new Date(d.getFullYear(), d.getMonth() + 1, 1), "month"],
    [91, (d) => new Date(d.getFullYear(), Math.floor(d.getMonth() / 3) * 3 + 3, 1), "month"],
    [365, (d) => new Date(d.getFullYear() + 1, 0, 1), "year"],
    [1_826, (d) => new Date(Math.floor(d.getFullYear() / 5) * 5 + 5, 0, 1), "year"],
    [18_262, (d) => new Date(Math.floor(d.getFullYear() / 50) * 50 + 50, 0, 1), "year"],
  ];

type TickFormat = "day" | "month" | "year";

const TICK_FORMATS: Readonly<Record<TickFormat, Intl.DateTimeFormatOptions>> = {
  day: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

/** Returns about `maxTicks` dates at regular calendar intervals. */
export function axisTicks({ from, to }: TimeScale, maxTicks: number, locale?: string): Tick[] {
  const days = (to - from) / DAY_MS;
  const [, next, form] = TICK_STEPS.find(([step]) => days / step <= maxTicks) ?? TICK_STEPS.at(-1)!;
  const format = new Intl.DateTimeFormat(locale, TICK_FORMATS[form]);
  const first = new Date(from);
  const ticks: Tick[] = [];
  let date = form === "day"
    ? new Date(first.getFullYear(), first.getMonth(), first.getDate())
    : next(first);
  for (; date.getTime() <= to && ticks.length < maxTicks * 2; date = next(date)) {
    if (date.getTime() >= from) ticks.push({ at: date.getTime(), label: format.format(date) });
  }
  return ticks;
}
