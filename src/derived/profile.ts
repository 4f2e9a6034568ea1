/** The profile: what is known about a scope, sorted into sections; and which of them a query is about. */

import { distinctTerms } from "../search/query/terms.ts";

/** What a profile is made of: a memory, and the attribute that it claims, if it claims one. */
export interface ProfileItem {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly attribute?: string;
}

/** A section with content. */
export interface ProfileSection {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/** A section with its share of a query's terms, 0 to 1. */
export interface RankedSection extends ProfileSection {
  readonly score: number;
}

/** Lines of one section; those that were told last are kept. */
const MAX_SECTION_LINES = 30;

/** Sections in their order, with the attributes and the memory types that belong to each. */
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

/** Sections of the items, a memory once in each; only those with content. */
export function profileOf(items: readonly ProfileItem[]): readonly ProfileSection[] {
  const lines = new Map<string, Set<string>>();
  for (const item of items) {
    const title = titleOf(item);
    lines.set(title, (lines.get(title) ?? new Set()).add(item.memory.replace(/\s+/g, " ").trim()));
  }
  return SECTIONS.flatMap(([title]) => {
    const known = [...lines.get(title) ?? []].slice(-MAX_SECTION_LINES);
    if (known.length === 0) return [];
    const content = known.map((line) => `- ${line}`).join("\n");
    return [{ id: title.toLowerCase().replaceAll(" ", "_"), title, content }];
  });
}

/** All sections as one text; null when there are none. */
export function profileText(sections: readonly ProfileSection[]): string | null {
  if (sections.length === 0) return null;
  return sections.map(({ title, content }) => `${title}\n${content}`).join("\n\n");
}

/** The sections, the one that shares most terms with the query first; else in their order. */
export function rankSections(
  sections: readonly ProfileSection[],
  query: string,
): readonly RankedSection[] {
  const asked = distinctTerms(query);
  return sections.map((section) => {
    const known = new Set(distinctTerms(`${section.title}\n${section.content}`));
    const shared = asked.filter((term) => known.has(term)).length;
    return { ...section, score: asked.length === 0 ? 0 : shared / asked.length };
  }).sort((a, b) => b.score - a.score);
}
