/** All rules in priority order: for a single-valued slot the first claim wins. */
import { compile } from "../lexicon/lines.ts";
import { BEING } from "./being.ts";
import { CONTACT } from "./contact.ts";
import { DECISIONS } from "./decisions.ts";
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

/** Groups in the order in which they are tried. */
const GROUPS: Readonly<Record<string, readonly Rule[]>> = {
  intent: INTENT,
  decisions: DECISIONS,
  contact: CONTACT,
  naming: NAMING,
  family: FAMILY,
  pets: PETS,
  being: BEING,
  home: HOME,
  work: WORK,
  study: STUDY,
  language: LANGUAGE,
  food_health: FOOD_HEALTH,
  tools: TOOLS,
  taste: TASTE,
  leisure: LEISURE,
  habit: HABIT,
  presupposed: PRESUPPOSED,
};

/** The rules, in the order in which they are tried. */
export const RULES: readonly Rule[] = Object.freeze(
  Object.entries(GROUPS).flatMap(([group, rules]) =>
    rules.map((rule, i) => ({
      ...rule,
      when: compile(rule.when.source, rule.when.flags),
      id: `${group}-${i + 1}`,
    }))
  ),
);
