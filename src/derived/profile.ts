/**
 * Builds profiles: sorts everything known about a scope into sections and ranks these for a query.
 */

import { distinctTerms } from "../search/query/terms.ts";

/** A memory for the profile and the attribute it claims, if any. */
export interface ProfileItem {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly attribute?: string;
  readonly created_at: string;
  readonly event_date: string | null;
}

/** A line of a profile: a memory, and the section it's in. */
export interface ProfileLine {
  readonly id: string;
  readonly memory: string;
  readonly title: string;
  /** When the events in the memory happened, or it was stored. */
  readonly date: string;
}

/** A section and its lines. The id is `profile_` and the title (`profile_home_and_work`). */
export interface ProfileSection {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/** A section and the fraction of the query terms it contains, from 0 to 1. */
export interface RankedSection extends ProfileSection {
  readonly score: number;
}

/**
 * Maximum number of lines per section with claims, of which the most recent ones win, and of those
 * without, of which the most important ones do.
 */
const MAX_SECTION_LINES = 30;

/** Sections in order, with the attributes and memory types of each. */
const SECTIONS: readonly (readonly [title: string, attributes: string, types: string])[] = [
  [
    "Identity",
    "name nickname pronouns birthday age from nationality identity religion native_language speaks",
    "identity",
  ],
  [
    "Home and work",
    "lives_in lived_in address works_at worked_at job_title employment studies_at studies " +
    "studied_at degree learning timezone email phone website handle",
    "fact",
  ],
  [
    "People and pets",
    "marital_status spouse partner child sibling parent grandparent relative friend colleague " +
    "children siblings pet species breed",
    "",
  ],
  ["Preferences", "diet avoids likes dislikes prefers hobby habit owns", "preference"],
  ["Tools", "uses editor os browser shell programming_language framework database", ""],
  ["Health", "allergic_to condition medication", ""],
  ["Goals and plans", "goal plan", "goal"],
  ["Open todos", "todo", "todo"],
  ["Decisions", "decision", "decision"],
  ["Recent events", "", "event observation"],
];

const BY_ATTRIBUTE = new Map(
  SECTIONS.flatMap(([title, names]) => names.split(" ").map((name) => [name, title] as const)),
);
const BY_TYPE = new Map(
  SECTIONS.flatMap(([title, , types]) => types.split(" ").map((type) => [type, title] as const)),
);

function titleOf({ attribute, memory_type }: ProfileItem): string {
  const byType = BY_TYPE.get(memory_type) ?? "Home and work";
  if (attribute === undefined) return byType;
  if (attribute.startsWith("favorite_")) return "Preferences";
  if (attribute.startsWith("decision:")) return "Decisions";
  return BY_ATTRIBUTE.get(attribute) ?? byType;
}

/** Returns the distinct lines of items per section. */
function linesBySection(items: readonly ProfileItem[]): Map<string, Set<string>> {
  const lines = new Map<string, Set<string>>();
  for (const item of items) {
    const title = titleOf(item);
    lines.set(title, (lines.get(title) ?? new Set()).add(item.memory.replace(/\s+/g, " ").trim()));
  }
  return lines;
}

/**
 * Sorts items into sections. Each memory appears once per section, and empty sections are left out.
 *
 * @param claimed items with claims, oldest first
 * @param unclaimed items without claims, most important first
 */
export function profileOf(
  claimed: readonly ProfileItem[],
  unclaimed: readonly ProfileItem[],
): readonly ProfileSection[] {
  const [claims, others] = [linesBySection(claimed), linesBySection(unclaimed)];
  return SECTIONS.flatMap(([title]) => {
    const known = new Set([
      ...[...claims.get(title) ?? []].slice(-MAX_SECTION_LINES),
      ...[...others.get(title) ?? []].slice(0, MAX_SECTION_LINES),
    ]);
    if (known.size === 0) return [];
    const content = [...known].map((line) => `- ${line}`).join("\n");
    return [{ id: `profile_${title.toLowerCase().replaceAll(" ", "_")}`, title, content }];
  });
}

/**
 * Returns the items as lines in the order of the sections: claims first, the most recent ones
 * first, then items without claims.
 *
 * @param claimed items with claims, oldest first
 * @param unclaimed items without claims, most important first
 */
export function profileLines(
  claimed: readonly ProfileItem[],
  unclaimed: readonly ProfileItem[],
): readonly ProfileLine[] {
  const order = SECTIONS.map(([title]) => title);
  const claims = new Map(claimed.map((item) => [item.id, item]));
  return [...[...claims.values()].toReversed(), ...unclaimed].map((item): ProfileLine => ({
    id: item.id,
    memory: item.memory,
    title: titleOf(item),
    date: item.event_date ?? item.created_at,
  })).sort((a, b) => order.indexOf(a.title) - order.indexOf(b.title));
}

/** Returns all sections as one text, or null if there aren't any. */
export function profileText(sections: readonly ProfileSection[]): string | null {
  if (sections.length === 0) return null;
  return sections.map(({ title, content }) => `${title}\n${content}`).join("\n\n");
}

/**
 * Returns the sections ranked by the fraction of the query terms they contain. Ties keep their
 * order.
 */
export function rankSections(
  sections: readonly ProfileSection[],
  query: string,
): readonly RankedSection[] {
  const queryTerms = distinctTerms(query);
  return sections.map((section) => {
    const known = new Set(distinctTerms(`${section.title}\n${section.content}`));
    const shared = queryTerms.filter((term) => known.has(term)).length;
    return { ...section, score: queryTerms.length === 0 ? 0 : shared / queryTerms.length };
  }).sort((a, b) => b.score - a.score);
}
