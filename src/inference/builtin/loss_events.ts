/** What ends when people part and pets die: the relation that naming them would claim. */
import { claim, type Draft } from "./rules/rule.ts";

/** "My husband and I separated in January". */
const APART =
  /^I (?:have |am |had )?(?:(?:recently|just|finally|sadly|now) )*(?:got )?(?:separated|split(?: up)?|broke up|broken up|divorced|parted ways)\b/;
const DIED =
  /^,? (?:has |have |had )?(?:sadly |recently |just |suddenly )*(?:died|passed away|passed)\b/;
const PET_LOST =
  /^,? (?:(?:has|have|had|was|were|is|are|got) )*(?:(?:sadly|recently|just|suddenly|finally) )*(?:died|passed away|put (?:down|to sleep)|no longer with (?:us|me)|no more|(?:dead|gone)(?=$|,| now)|rehomed|(?:ran|flew) away(?!,? (?:but|and|twice|every|all))|run over)\b/;

const isBond = (relation: string | null) => /^(?:spouse|partner)$/.test(relation ?? "");
/** "My former boss": whom one no longer has. */
const FORMER = /\b(?:former|previous)\b/i;
/** "My late husband", "our childhood dog": of a parent, a child or a friend it would say nothing of that kind. */
const FORMER_BOND = /\b(?:late|first|future|childhood)\b/i;

/** Whether the words before a relation or a pet say that it is none of now. */
export const isFormer = (before: string, relation: string | null): boolean =>
  FORMER.test(before) || (relation === null || isBond(relation)) && FORMER_BOND.test(before);

const asEnds = (drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, op: "end" }));

/** `held`, what naming a spouse or partner claims, closed when `key` says that the two parted. */
export function parted(held: readonly Draft[], relation: string | null, key: string): Draft[] {
  if (!isBond(relation) || !APART.test(key)) return [...held];
  const status = /divorce/.test(key) ? "divorced" : "separated";
  return [...asEnds(held), ...(relation === "spouse" ? claim("marital_status", status) : [])];
}

/** `held`, what naming them claims, closed when they are dead; parents and friends stay what they were. */
export function lost(
  held: readonly Draft[],
  relation: string | null,
  predicate: string,
  owner: string,
): Draft[] {
  const pet = relation === null;
  if (!(pet ? PET_LOST : DIED).test(predicate) || !pet && !isBond(relation)) return [...held];
  return [
    ...asEnds(held.filter((draft) => draft.subject === owner)),
    ...(relation === "spouse" ? claim("marital_status", "widowed", { subject: owner }) : []),
  ];
}
