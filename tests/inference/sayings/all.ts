/** All sayings. Of the first round and of the last some are kept aside: no rule may be written for those. */
import { EIGHTEENTH } from "./eighteenth.ts";
import { EIGHTH } from "./eighth.ts";
import { ELEVENTH } from "./eleventh.ts";
import { FIFTEENTH } from "./fifteenth.ts";
import { FIFTH } from "./fifth.ts";
import { FOURTEENTH } from "./fourteenth.ts";
import { FOURTH } from "./fourth.ts";
import { FURTHER } from "./further.ts";
import { KEPT_ASIDE } from "./kept_aside.ts";
import { KEPT_ASIDE_TOO } from "./kept_aside_too.ts";
import { LONG } from "./long.ts";
import { NINETEENTH } from "./nineteenth.ts";
import { NINTH } from "./ninth.ts";
import { PEOPLE } from "./people.ts";
import { PLACES } from "./places.ts";
import type { Saying } from "./saying.ts";
import { SEVENTEENTH } from "./seventeenth.ts";
import { SEVENTH } from "./seventh.ts";
import { SILENCE } from "./silence.ts";
import { SIXTEENTH } from "./sixteenth.ts";
import { SIXTH } from "./sixth.ts";
import { TASTE } from "./taste.ts";
import { TENTH } from "./tenth.ts";
import { THIRD } from "./third.ts";
import { THIRTEENTH } from "./thirteenth.ts";
import { TIME } from "./time.ts";
import { TWENTIETH } from "./twentieth.ts";
import { TWELFTH } from "./twelfth.ts";
import { TWENTY_FOURTH } from "./twenty_fourth.ts";
import { TWENTY_FIFTH } from "./twenty_fifth.ts";
import { TWENTY_FIRST } from "./twenty_first.ts";
import { TWENTY_SECOND } from "./twenty_second.ts";
import { TWENTY_SIXTH } from "./twenty_sixth.ts";
import { TWENTY_THIRD } from "./twenty_third.ts";

const GROUPS = Object.entries({ ...PEOPLE, ...PLACES, ...TASTE, ...TIME, ...SILENCE, ...LONG });

/** A saying with its group. */
export type Grouped = readonly [group: string, saying: Saying];

const half = (parity: number): readonly Grouped[] =>
  GROUPS.flatMap(([group, sayings]) =>
    sayings.filter((_, i) => i % 2 === parity).map((saying) => [group, saying] as const)
  );

/** Sayings that rules were written for. */
export const KNOWN: readonly Grouped[] = [
  ...half(0),
  ...Object.entries({
    ...FURTHER,
    ...THIRD,
    ...FOURTH,
    ...FIFTH,
    ...SIXTH,
    ...SEVENTH,
    ...EIGHTH,
    ...NINTH,
    ...TENTH,
    ...ELEVENTH,
    ...TWELFTH,
    ...THIRTEENTH,
    ...FOURTEENTH,
    ...FIFTEENTH,
    ...SIXTEENTH,
    ...SEVENTEENTH,
    ...EIGHTEENTH,
    ...NINETEENTH,
    ...TWENTIETH,
    ...TWENTY_FIRST,
    ...TWENTY_SECOND,
    ...TWENTY_THIRD,
    ...TWENTY_FOURTH,
    ...TWENTY_FIFTH,
    ...TWENTY_SIXTH,
  }).flatMap(([group, sayings]) => sayings.map((saying) => [group, saying] as const)),
];

/** Sayings that nobody looked at while rules were written: how they are read tells how rules generalize. */
export const UNSEEN: readonly Grouped[] = [
  ...half(1),
  ...Object.values({ ...KEPT_ASIDE, ...KEPT_ASIDE_TOO })
    .flatMap((sayings) => sayings.map((saying) => ["aside", saying] as const)),
];
