/** Remembers the people that the tagger finds, for later pronouns and for the claims of the rules. */

import type { Mentions, Statement } from "../statements.ts";
import { forget, remember } from "../subjects/mentions.ts";
import type { TaggedClaim } from "./claims.ts";
import type { Person } from "./people.ts";

/** Adds the people of a sentence to the mentions: those with a name, and those whom claims are about. */
export function bringUp(
  people: readonly Person[],
  claims: readonly TaggedClaim[],
  mentions: Mentions,
): void {
  for (const { subject, name, relation, isPet } of people) {
    const isKnown = mentions.some((one) => one.subject === subject && !one.isOfAnother);
    const isTold = name !== undefined || claims.some((claim) => claim.subject === subject);
    if (subject === null || isKnown || !isTold) continue;
    if (name !== undefined) {
      const nameless = mentions.find((one) =>
        one.fills !== undefined && one.relation !== undefined && one.relation === relation
      );
      if (nameless !== undefined) forget(mentions, nameless.subject);
    }
    const species = claims.find((one) => one.subject === subject && one.attribute === "species");
    remember(mentions, {
      subject,
      display: name ?? `my ${relation}`,
      kind: isPet ? "pet" : "person",
      ...(relation === undefined ? {} : { relation }),
      ...(species === undefined ? {} : { species: species.value }),
    });
  }
}

/** Returns statements with the names of people whom the rules only know by relation. */
export function withNames(
  statements: readonly Statement[],
  people: readonly Person[],
  user: string,
): readonly Statement[] {
  const names = new Map<string, string>(
    people.filter(({ name, relation }) => name !== undefined && relation !== undefined)
      .map(({ subject, relation }) => [`${user}'s ${relation}`, subject!] as const),
  );
  if (names.size === 0) return statements;
  return statements.map((statement) => ({
    ...statement,
    drafts: statement.drafts.map((draft) => ({
      ...draft,
      subject: names.get(draft.subject) ?? draft.subject,
    })),
  }));
}
