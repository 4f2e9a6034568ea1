/** Clauses whose subject is only a name ("Klara works at Ikea"). */
import { compile, pattern } from "../lexicon/lines.ts";
import { firstPerson, isModal, isPastVerb, VERBS } from "../lexicon/verbs.ts";
import { inFirstPerson } from "./predicates.ts";
import type { Resolved } from "./subjects.ts";
import { NAME } from "../values.ts";

const NOT_A_NAME = pattern("")`
  ^(?:I|The|This|That|These|Those|It|What|When|Where|Who|How|Why|There|Here|Everyone|
  Everybody|Nobody|Someone|People|Today|Tomorrow|Yesterday|My|Our|His|Her|Their|You|Your|
  We|He|She|They|If|As|At|In|On|For|And|But|So|No|Not|Yes|All|Some|Most|Many|Both|Any|
  Each|Every|Nothing|Everything|Something|Lots|Plenty|Loads|Tons|Home|Please|Maybe|Let|
  Life|Work|Time|Let's|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|
  February|March|April|May|June|July|August|September|October|November|December|God|
  Christmas|Ramen|Decision|Result|Question|Answer|Problem|Job|Plan|Goal|Task|Meeting|
  Flight|Rent|Dinner|Lunch|Breakfast|Traffic|Coffee|Tea|School|Summer|Winter|Spring|
  Autumn|Rain|Snow|Living|Working|Being|Having|Going|Best|Worst|Just|Only|Still|Also|
  Always|Usually|Once|Twice|Online|Been|Got|First|Last|Next|Another|Other|Such|Same|Long|
  Half|Sugar|Dairy|Peanuts|Milk|Mine|Yours|Ours|Hers|Theirs)\b
`;
const NAMED = compile(
  `^(${NAME})(?:'s(?! (?:is|are|was|were|has|had)\\b))?(?: from (?:the |my )?(?:\\p{Ll}+|HR|IT)(?: \\p{Ll}+)??)? ((?:(?:also|just|really|now|still|always|usually|currently|recently|absolutely|never|no longer)\\s)*)(\\p{Ll}[\\p{L}']*)\\b(.*)$`,
  "u",
);

/**
 * Returns a clause resolved to the name that it starts with. Null if that isn't a name, or if the
 * clause is about the speaker.
 */
export function resolveName(body: string): Resolved | null {
  const m = NAMED.exec(body);
  if (!m || NOT_A_NAME.test(m[1]!)) return null;
  const verb = m[3]!;
  const third = /^(?:is|was|has|does)$/.test(verb) || isPastVerb(verb) || isModal(verb) ||
    (verb.endsWith("s") && VERBS.has(firstPerson(verb) ?? ""));
  if (
    !third ||
    /\bI (?:use|live|work|write|code|like|love|prefer|speak|drive|enjoy|hate|own)\b/.test(m[4]!) ||
    /^(?:\p{Ll}+ me|makes? my)\b/u.test(`${verb}${m[4]}`) ||
    /^(?:is|are|was|has been|has become|became|remains) (?:[\p{Ll}-]+ ){0,3}(?:my|where|what|how|mine)\b/u
      .test(`${m[2]}${verb}${m[4]}`)
  ) return null;
  const key = inFirstPerson(`${m[2]}${verb}${m[4]}`);
  const subject = m[1]!.toLowerCase();
  return {
    subjects: [subject],
    key,
    drafts: [],
    text: body,
    mention: { subject, display: m[1]!, kind: "person" },
    speaker: false,
  };
}
