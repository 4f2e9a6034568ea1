/** Units of time, and the words that name them. */

/** A unit of time. `week_of_month` is the seven days from the first, or up to the last. */
export type Unit =
  | "day"
  | "weekend"
  | "week"
  | "week_of_month"
  | "month"
  | "quarter"
  | "season"
  | "year"
  | "decade";

/** Returns the unit of "two weeks ago" or "half a year ago". */
export function countedUnit(quantity: string, name: string): Unit {
  const isHalf = /^half/i.test(quantity);
  if (/^day|^night/i.test(name)) return "day";
  if (/^weekend/i.test(name)) return "weekend";
  if (/^week|^fortnight/i.test(name)) return isHalf ? "day" : "week";
  if (/^month/i.test(name)) return isHalf ? "week" : "month";
  if (/^year/i.test(name)) return isHalf ? "month" : "year";
  return isHalf ? "year" : "decade";
}

/** Returns the unit of "last week" or "next spring". */
export function periodUnit(name: string): Unit {
  const unit = name.toLowerCase();
  switch (unit) {
    case "week":
    case "weekend":
    case "month":
    case "quarter":
    case "year":
      return unit;
    default:
      return "season";
  }
}
