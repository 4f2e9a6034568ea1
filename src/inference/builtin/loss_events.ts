/** Ends relations when people separate or die, and pets when they die. */
import { claim, type Draft } from "./rules/rule.ts";

/** "My husband and I separated in January". */
const APART =
  /^I (?:have |am |had )?(?:(?:recently|just|finally|sadly|now) )*(?:got )?(?:separated|split(?: up)?|broke up|broken up|divorced|parted ways)\b/;
const DIED =
  /^,? (?:has |have |had )?(?:sadly |recently |just |suddenly )*(?:died|passed away|passed)\b/;
const PET_LOST =
  /^,? (?:(?:has|have|had|was|were|is|are|got) )*(?:(?:sadly|recently|just|suddenly|finally) )*(?:died|passed away|put (?:down|to sleep)|no longer with (?:us|me)|no more|(?:dead|gone)(?=$|,| now)|rehomed|(?:ran|flew) away(?!,? (?:but|and|twice|every|all))|run over)\b/;

const isBond = (relation: string | null) => /^(?:spouse|partner)$/.test(relation ?? "");
/** "My former boss": a former relation. */
const FORMER = /\b(?:former|previous)\b/i;
/** "My late husband", "our childhood dog": words that only end relations to partners and pets. */
const FORMER_BOND = /\b(?:late|first|future|childhood)\b/i;

/** Checks whether the words before a relation or a pet say that it's a former one. */
export const isFormer = (before: string, relation: string | null): boolean =>
  FORMER.test(before) || (relation === null || isBond(relation)) && FORMER_BOND.test(before);

const asEnds = (drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, op: "end" }));

/** Ends the claims about a spouse or partner if `key` says that the two separated. */
export function endedBySeparation(
  drafts: readonly Draft[],
  relation: string | null,
  key: string,
): Draft[] {
  if (!isBond(relation) || !APART.test(key)) return [...drafts];
  const status = /divorce/.test(key) ? "divorced" : "separated";
  return [...asEnds(drafts), ...(relation === "spouse" ? claim("marital_status", status) : [])];
}

/**
 * Ends the claims about a spouse, partner or pet if they died. Parents and friends stay what they
 * were.
 */
export function endedByDeath(
  drafts: readonly Draft[],
  relation: string | null,
  predicate: string,
  owner: string,
): Draft[] {
  const pet = relation === null;
  if (!(pet ? PET_LOST : DIED).test(predicate) || !pet && !isBond(relation)) return [...drafts];
  return [
    ...asEnds(drafts.filter((draft) => draft.subject === owner)),
    ...(relation === "spouse" ? claim("marital_status", "widowed", { subject: owner }) : []),
  ];
}
