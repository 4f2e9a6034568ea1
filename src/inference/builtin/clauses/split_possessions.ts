/** Splits lists of possessions: each one becomes a clause of its own. */

const LIST_OF_HAVING = /^(I have (?:got )?)((?!to\b|been\b|not\b|never\b)\p{L}.+)$/iu;

/** "I have a brother and two sisters": one number. */
const SUM =
  /^I have \w+ (?:(?:younger|older|little|big) )*(?:brothers?|sisters?|sons?|daughters?|boys?|girls?) and \w+ (?:(?:younger|older|little|big) )*(?:brothers?|sisters?|sons?|daughters?|boys?|girls?)\b/i;

/**
 * Returns each item of "I have a dog called Argo, two goldfish, and an allergy to cats" as a
 * clause.
 */
export function splitPossessions(body: string): string[] {
  const m = LIST_OF_HAVING.exec(body);
  if (!m || SUM.test(body)) return [body];
  const parts = m[2]!.split(
    /,\s*(?:and\s+)?(?=(?:an?|two|three|four|five|six|\d+|my)\s)| and (?=(?:an? |two |three )(?:[\p{L}-]+ )?(?:allergy|dogs?|cats?|sons?|daughters?|kids?|sisters?|brothers?|goldfish|rabbits?|house|car|bike|degree|wife|husband|job)\b)/u,
  );
  return parts.length > 1 ? parts.map((part) => `I have ${part}`) : [body];
}
