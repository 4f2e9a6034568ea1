/** A human-readable time, with the exact time shown on hover. */

import { useEffect, useState } from "preact/hooks";

const RELATIVE_UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [604_800, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const second = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** Returns a relative time: "3 minutes ago", "in 2 hours". */
function relativeTime(time: Date, now: number): string {
  const seconds = (time.getTime() - now) / 1_000;
  const step = RELATIVE_UNITS.find(([length]) => Math.abs(seconds) >= length);
  if (step === undefined) return Math.abs(seconds) < 10 ? "just now" : relativeSeconds(seconds);
  return relativeFormat.format(Math.round(seconds / step[0]), step[1]);
}

function relativeSeconds(seconds: number): string {
  return relativeFormat.format(Math.round(seconds), "second");
}

const FORMATS = { moment, second, day } as const;

interface TimestampProps {
  /** Timestamp as returned by the service. Null and undefined are shown as a dash. */
  readonly at: string | null | undefined;
  /**
   * `moment` shows the date and time, `second` the same to the second, and `day` just the date.
   * `ago`, the default, shows a relative time.
   */
  readonly as?: "ago" | "moment" | "second" | "day";
}

export function Timestamp({ at, as = "ago" }: TimestampProps) {
  const now = useNow(as === "ago");
  if (at === null || at === undefined) return <span class="faint">–</span>;
  const time = new Date(at);
  const text = as === "ago" ? relativeTime(time, now) : FORMATS[as].format(time);
  return <time dateTime={at} title={`${fullFormat.format(time)}\n${at}`}>{text}</time>;
}

/** Returns the current time, updated every 30 seconds if `live` is set. */
function useNow(isLive: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!isLive) return;
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [isLive]);
  return now;
}

/** Returns a duration: "240 ms", "1.4 s", "3 min 20 s". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}
