/** Applies the rules to a clause, and resolves conflicts between their claims. */
import type { MemoryType } from "../../memories/schema.ts";
import { isSingleValued } from "../vocabulary.ts";
import { frame } from "./clauses/frames.ts";
import { withoutAdverbs } from "./clauses/normalize.ts";
import { plainVerb } from "./clauses/tenses.ts";
import { closed, ended, endings, isNegated, ofNegation } from "./negation.ts";
import { RULES } from "./rules/all.ts";
import type { About, Draft } from "./rules/rule.ts";

/** The findings of the rules in a clause. */
export interface Found {
  readonly drafts: readonly Draft[];
  readonly type: MemoryType | null;
  readonly text: string | null;
}

function apply(key: string, about: About): Found {
  const drafts: Draft[] = [];
  const slots = new Set<string>();
  let type: MemoryType | null = null, text: string | null = null;
  for (const rule of RULES) {
    const m = rule.when.exec(key);
    if (!m) continue;
    const made = rule.then(m, about);
    if (!made.length) continue;
    const fresh = made.filter((draft) => {
      const slot = `${draft.subject ?? ""}\n${draft.attribute}\n${
        isSingleValued(draft.attribute) ? "" : draft.value.toLowerCase()
      }\n${draft.op === "end"}`;
      if (slots.has(slot)) return false;
      slots.add(slot);
      return true;
    });
    if (!fresh.length) continue;
    if (!drafts.length) {
      type = rule.type ?? null;
      text = rule.text?.(m) ?? null;
    }
    drafts.push(...fresh.map((draft) => ({ ...draft, rule: rule.id! })));
    if (about.speaker && rule.type && /^(?:todo|goal|event)$/.test(rule.type)) break;
  }
  return { drafts: withoutWeaker(drafts), type, text };
}

/** Readings of a clause that are dropped if another rule found a stronger one. */
const GIVES_WAY_TO: Readonly<Record<string, string>> = {
  habit: "works_at lives_in diet likes dislikes speaks job_title todo goal plan prefers owns " +
    "learning avoids editor os browser uses medication",
  hobby: "programming_language",
  prefers: "name nickname",
  identity: "condition",
  nickname: "name",
  name: "nationality religion diet handle",
  owns: "hobby pet condition allergic_to child sibling medication",
  avoids: "allergic_to diet",
  uses: "medication pronouns prefers speaks",
};

/** Drops the weaker of two readings of one clause. */
function withoutWeaker(drafts: readonly Draft[]): readonly Draft[] {
  const attributes = new Set(drafts.map(({ attribute }) => attribute));
  return drafts.filter(({ attribute, value }) => {
    const stronger = GIVES_WAY_TO[attribute]?.split(" ") ?? [];
    if (stronger.some((one) => attributes.has(one))) return false;
    switch (attribute) {
      case "job_title":
        return !(attributes.has("name") && /^\p{Lu}/u.test(value));
      case "pet":
        // "Two cats, Ada and Bo": the names are enough.
        return !/^(?:two|three|four|five|six|\d)/.test(value) ||
          !drafts.some((other) => other.attribute === "pet" && /^\p{Lu}/u.test(other.value));
      case "decision":
        return !drafts.some((other) =>
          other.attribute.startsWith("decision:") ||
          other.attribute === "decision" && value === `use ${other.value}`
        );
      case "likes":
        return !drafts.some((other) => other.attribute.startsWith("favorite_"));
      default:
        return true;
    }
  });
}

const said = (clause: string | null, about: About): Found =>
  clause === null ? { drafts: [], type: null, text: null } : apply(frame(clause), about);

/** Returns the claims of a first-person clause about `about`, and whether it denies or ends something. */
export function readClause(key: string, about: About): Found & { readonly negative: boolean } {
  const bare = withoutAdverbs(key);
  const own = endings(bare);
  const positive = ended(bare);
  if (positive) {
    const inner = apply(frame(withoutAdverbs(positive)), { ...about, said: positive });
    const known = apply(bare, about).drafts.filter((draft) =>
      draft.attribute === "avoids" || draft.attribute === "employment"
    );
    const ends = closed(
      inner.drafts.filter((draft) =>
        draft.attribute !== "habit" || /drink|smok|eat/.test(draft.value)
      ),
    );
    return {
      drafts: [
        ...ends,
        ...known.filter((draft) =>
          draft.attribute !== "avoids" || !ends.some((end) => end.attribute === "hobby")
        ).filter((draft) => !/^(?:playing|using|going|working|being)/.test(draft.value)),
        ...own,
      ],
      type: ends[0] && /^(?:likes|diet|hobby|dislikes|avoids|prefers)/.test(ends[0].attribute)
        ? "preference"
        : "fact",
      text: null,
      negative: true,
    };
  }
  const framed = frame(bare);
  const found = apply(framed, about);
  const second = framed === bare || found.drafts.length
    ? { drafts: [] as readonly Draft[], type: null, text: null }
    : apply(bare, about);
  const all = [found, second].find((one) => one.drafts.length) ??
    said(plainVerb(bare, about.said), about);
  if (own.length) {
    return {
      ...all,
      drafts: [
        ...own,
        ...all.drafts.filter((draft) => !own.some((one) => one.attribute === draft.attribute)),
      ],
      negative: true,
    };
  }
  const negative = isNegated(bare);
  const kept = negative && framed === bare ? ofNegation(all.drafts) : all.drafts;
  return { drafts: kept, type: all.type, text: all.text, negative };
}
