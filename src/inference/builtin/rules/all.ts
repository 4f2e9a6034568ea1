/** All rules in priority order: for a single-valued slot the first claim wins. */
import { BEING } from "./being.ts";
import { CONTACT } from "./contact.ts";
import { FAMILY } from "./family.ts";
import { FOOD_HEALTH } from "./food_health.ts";
import { HABIT } from "./habit.ts";
import { HOME } from "./home.ts";
import { INTENT } from "./intent.ts";
import { LANGUAGE } from "./language.ts";
import { LEISURE } from "./leisure.ts";
import { NAMING } from "./naming.ts";
import { PETS } from "./pets.ts";
import { PRESUPPOSED } from "./presupposed.ts";
import type { Rule } from "./rule.ts";
import { STUDY } from "./study.ts";
import { TASTE } from "./taste.ts";
import { TOOLS } from "./tools.ts";
import { WORK } from "./work.ts";

/** The rules, in the order in which they are tried. */
export const RULES: readonly Rule[] = Object.freeze([
  ...INTENT,
  ...CONTACT,
  ...NAMING,
  ...FAMILY,
  ...PETS,
  ...BEING,
  ...HOME,
  ...WORK,
  ...STUDY,
  ...LANGUAGE,
  ...FOOD_HEALTH,
  ...TOOLS,
  ...TASTE,
  ...LEISURE,
  ...HABIT,
  ...PRESUPPOSED,
]);
