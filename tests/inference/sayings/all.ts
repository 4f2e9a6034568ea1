/**
 * All sayings. Some from the first and later rounds are held out, i.e. no rule may be written for
 * them.
 */
import { CLAUSES } from "./clauses.ts";
import { DATES } from "./dates.ts";
import { ENDINGS } from "./endings.ts";
import { FAMILY } from "./family.ts";
import { FIGURES_OF_SPEECH } from "./figures_of_speech.ts";
import { HELD_OUT } from "./held_out.ts";
import { HELD_OUT_2 } from "./held_out_2.ts";
import { HOME } from "./home.ts";
import { INFORMAL } from "./informal.ts";
import { LISTS } from "./lists.ts";
import { LONG } from "./long.ts";
import { LOOKALIKES } from "./lookalikes.ts";
import { LOOKALIKES_2 } from "./lookalikes_2.ts";
import { LOOKALIKES_3 } from "./lookalikes_3.ts";
import { MISREADINGS } from "./misreadings.ts";
import { MIXED } from "./mixed.ts";
import { NAMES } from "./names.ts";
import { PASSING_STATES } from "./passing_states.ts";
import { PEOPLE } from "./people.ts";
import { PETS } from "./pets.ts";
import { PLACES } from "./places.ts";
import { PLAIN } from "./plain.ts";
import { PLANS } from "./plans.ts";
import { PREFERENCES } from "./preferences.ts";
import { REMEMBERED } from "./remembered.ts";
import { REQUESTS } from "./requests.ts";
import type { Saying } from "./saying.ts";
import { SILENCE } from "./silence.ts";
import { SILENCE_2 } from "./silence_2.ts";
import { SILENCE_3 } from "./silence_3.ts";
import { SILENCE_4 } from "./silence_4.ts";
import { TASTE } from "./taste.ts";
import { TASTE_2 } from "./taste_2.ts";
import { TASTE_3 } from "./taste_3.ts";
import { TASTE_4 } from "./taste_4.ts";
import { TASTE_5 } from "./taste_5.ts";
import { TIME } from "./time.ts";
import { WORK } from "./work.ts";

const GROUPS = Object.entries({ ...PEOPLE, ...PLACES, ...TASTE, ...TIME, ...SILENCE, ...LONG });

/** A saying and its group. */
export type Grouped = readonly [group: string, saying: Saying];

const half = (parity: number): readonly Grouped[] =>
  GROUPS.flatMap(([group, sayings]) =>
    sayings.filter((_, i) => i % 2 === parity).map((saying) => [group, saying] as const)
  );

/** Sayings with rules written for them. */
export const KNOWN: readonly Grouped[] = [
  ...half(0),
  ...[
    TASTE_2,
    NAMES,
    TASTE_3,
    LOOKALIKES,
    TASTE_4,
    PREFERENCES,
    DATES,
    WORK,
    TASTE_5,
    PLAIN,
    PLANS,
    SILENCE_2,
    FAMILY,
    SILENCE_3,
    HOME,
    SILENCE_4,
    INFORMAL,
    REQUESTS,
    LOOKALIKES_2,
    MIXED,
    ENDINGS,
    FIGURES_OF_SPEECH,
    LOOKALIKES_3,
    CLAUSES,
    MISREADINGS,
    PETS,
    LISTS,
    PASSING_STATES,
    REMEMBERED,
  ].flatMap((sayings) => Object.entries(sayings)).flatMap(([group, sayings]) =>
    sayings.map((saying) => [group, saying] as const)
  ),
];

/**
 * Sayings that weren't read while the rules were being written. They measure how well the rules
 * generalize.
 */
export const UNSEEN: readonly Grouped[] = [
  ...half(1),
  ...Object.values({ ...HELD_OUT, ...HELD_OUT_2 })
    .flatMap((sayings) => sayings.map((saying) => ["held out", saying] as const)),
];
