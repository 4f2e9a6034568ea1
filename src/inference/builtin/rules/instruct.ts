/** Lasting instructions about how to respond: preferences of the speaker. */
import { uncapitalize } from "../../../kernel/text.ts";
import { isInstruction, WANTS_ANSWERS } from "../message/gates.ts";
import { isVerbForm } from "../clauses/clauses.ts";
import { gerund } from "../lexicon/verbs.ts";
import { tidyValue } from "../../vocabulary.ts";
import { value } from "../values.ts";
import type { Draft } from "./rule.ts";
import { claim } from "./rule.ts";
import { compile } from "../lexicon/lines.ts";

const LEAD =
  /^(?:(?:please|kindly|from now on|in (?:the )?future|going forward|by default|just|can you|could you|always|when(?:ever)? [^,]{3,60}(?=,)),? ){1,6}/i;

const HOW =
  "((?:very |really |more |much )?(?:short|shorter|brief|concise|detailed|long|longer|direct|honest|blunt|formal|informal|casual|simple|simpler|plain|thorough|technical|precise|bulleted|step-by-step))";
const ANSWERS = "(answers|replies|responses|explanations|summaries|messages)";
/** "No emojis please": parts of a response that a speaker may not want. */
const WITHOUT =
  "emojis?|bullet points|bullets|markdown|tables|headings|small talk|jargon|apologies|disclaimers|fluff|pleasantries|hedging|exclamation marks|code comments|filler|buzzwords|acronyms|sugar-?coating|preambles?|flattery";

/** Other things that a later part may say of responses ("answer in French and use metric units"). */
const IN_ANSWERS =
  "answer|reply|response|explanation|summary|message|metric|imperial|units?|celsius|fahrenheit|paragraphs?|sentences?|wording|words|examples?|sources?|citations?|links|code|language|spelling|tone|slang|lists?|intros?|introductions?|greetings?|pep[- ]talks?|caveats?|warnings?|lectures?|lecturing|jokes|repetition";
/** An instruction that is about responses, and not about what else someone does or avoids. */
const IS_OF_ANSWERS = compile(
  `\\b(?:${ANSWERS}|${WITHOUT}|${IN_ANSWERS})\\b|\\b(?:it|things|them|be) ${HOW}(?:,? please)?$`,
  "i",
);

/** Wishes about responses, rewritten as imperatives. */
const WISHES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    compile(`^I (?:want|need|prefer|like|would (?:like|prefer)) ${HOW} ${ANSWERS}$`, "i"),
    "keep $2 $1",
  ],
  [compile(`^${HOW} ${ANSWERS}(?: only)?(?:,? please)?$`, "i"), "keep $2 $1"],
  [
    compile(
      `^(?:and |also )?no (?:more )?(${WITHOUT})(?: in (?:your )?${ANSWERS})?(?:,? please)?$`,
      "i",
    ),
    "do not use $1",
  ],
  [/^I would rather you (?:did|do) not (.+)$/i, "do not $1"],
  // "I like it when you use examples", "I'd prefer if you were brief".
  [
    /^I (?:(?:really|would|also) )*(?:like|love|prefer|appreciate) (?:it )?(?:when|if) you (?:would |could )?(?:always )?(use|answer|reply|respond|write|give|keep|explain|speak|address|include|add|format|show|start|end|avoid|skip|cite)(?:s|d|ed)? (.+)$/i,
    "always $1 $2",
  ],
  // "When you write to me, skip the pleasantries".
  [
    /^when(?:ever)? you (?:write|reply|answer|respond|talk|speak|explain)\b[^,]{0,40}, (?:please )?(?!(?:I|my|we|it|you|he|she|they|there|do|does|is|are|can)\b)(\p{Ll}.+)$/iu,
    "always $1",
  ],
];

/** "Please don't call me before nine", "never schedule meetings on Fridays". */
const UNDISTURBED =
  /^(?:please )?(?:do not|never) (call|text|message|e-?mail|schedule|book|plan) (me|anything|(?:any )?\p{Ll}+s) ((?:before|after|between|on|at|during|in) .+?)(?: (?:for|with) me)?(?:,? please)?$/iu;

/** Wishes about responses. */
export interface Instruction {
  readonly drafts: readonly Draft[];
  readonly text: string;
}

/** Separators of two instructions in a sentence: "keep it short, and skip the pep talk". */
const NEXT = compile(
  `(?:,? (?:and|but)|[,;])(?: (?:please|also|then))* (?=(?:never|always|do not|skip|avoid|drop|omit|leave out|stop|keep|use|no (?:more )?(?:${WITHOUT}))\\b)`,
  "i",
);
const NEGATED = /^(?:never|do not|no) /i;

/**
 * Returns the claims and the memory texts of the instructions that a sentence consists of. Empty if
 * it has none, or is about more than responses ("keep it short and stop smoking").
 */
export function instructions(said: string): readonly Instruction[] {
  const [first = "", ...rest] = /\b(?:I|my|we|our)\b/i.test(said) ? [said] : said.split(NEXT);
  const found = [first, ...rest.map((part) => NEGATED.test(part) ? part : `always ${part}`)]
    .map(instruction).filter((one) => one !== null);
  if (found.length === 1 + rest.length) {
    return rest.every((part) => IS_OF_ANSWERS.test(part)) ? found : [];
  }
  const whole = instruction(said);
  return whole === null ? [] : [whole];
}

/** Returns the claim and the memory text of an instruction. Null if the sentence isn't one. */
function instruction(said: string): Instruction | null {
  const wish = WISHES.find(([pattern]) => pattern.test(said));
  const sentence = wish ? said.replace(wish[0], wish[1]) : said;
  if (!isInstruction(sentence) || /^call me\b/i.test(sentence)) return null;
  // "Please use they/them for me": pronouns have an attribute of their own.
  if (/\b(?:he|she|they|ze|xe)\/\w+/i.test(sentence)) return null;
  const undisturbed = UNDISTURBED.exec(sentence);
  if (undisturbed) {
    const [, verb, what, when] = undisturbed;
    const how = `${
      /^anything$/i.test(what!) ? "nothing" : `no ${what === "me" ? `${verb}s` : what}`
    } ${when}`;
    return { drafts: claim("prefers", how), text: `I prefer ${how}` };
  }
  const wanted = WANTS_ANSWERS.exec(sentence)?.[1];
  if (wanted) {
    const how = value(wanted.replace(/,? (?:please|from now on)$/i, "").replace(" to be ", " "));
    return { drafts: claim("prefers", how), text: `I prefer ${how}` };
  }
  const bare = sentence.replace(LEAD, "").replace(/\byour (?=\p{L})/gu, "").replace(
    /(?:,? (?:with|to|for|at) me)?(?:,? (?:ever )?again| anymore)?(?:,? all the time)?(?:,? please)?$/i,
    "",
  ).replace(
    /,? (?:please|from (?:now|here) on|by default|going forward|in (?:the )?future)$/i,
    "",
  );
  const main = value(bare.replace(/\b(?:I|my)\b.*$/, "").replace(/[,;]\s*$/, "")) || bare;
  const keep =
    /^(?:keep|make) (?:your |the |all |all your )?(answers?|replies|responses?|explanations?|it|things|messages)( .+)$/i
      .exec(bare);
  const use =
    /^(?:use|give me|stick to|write in|answer in|reply in|respond in|speak|talk (?:to me )?in|explain (?:things )?in|answer with|respond with|reply with) (.+)$/i
      .exec(bare);
  const never =
    /^(?:never|do not|avoid|stop|skip|drop|omit|leave out|cut(?: out)?) (?:ever )?(?:(?:use|using|saying|add|adding|include|including|write|writing|send|sending|give me|giving me|suggest|suggesting|recommend|recommending|propose|proposing|mention|mentioning|bring up|bringing up)\b)? ?(.+)$/i
      .exec(bare);
  if (keep) {
    const what = /^(?:it|things)$/i.test(keep[1]!) ? "answers" : keep[1]!;
    const how = value(keep[2]!);
    const said = /^(?:under|below|within|to|in|at|above|over)\b/i.test(how)
      ? `${what} ${how}`
      : `${uncapitalize(how)} ${what}`;
    return {
      drafts: claim("prefers", tidyValue(said)),
      text: `I prefer ${said}`,
    };
  }
  if (never) {
    const what = value(never[1]!);
    return { drafts: claim("avoids", what), text: `I prefer answers without ${what}` };
  }
  const how = /^(answer|reply|respond|speak|write|talk|explain)\b/i.exec(bare);
  if (how && use) {
    return {
      drafts: claim("prefers", tidyValue(bare)),
      text: `I prefer ${replies(how[1]!)} ${bare.slice(how[1]!.length).trim()}`,
    };
  }
  if (use) return { drafts: claim("prefers", value(use[1]!)), text: `I prefer ${value(use[1]!)}` };
  if (how) {
    return {
      drafts: claim("prefers", tidyValue(main)),
      text: `I prefer ${replies(how[1]!)} ${main.slice(how[1]!.length).trim()}`,
    };
  }
  return {
    drafts: claim("prefers", tidyValue(main)),
    text: `I prefer ${isVerbForm(main.split(" ")[0]!) ? "the assistant to " : ""}${
      uncapitalize(main)
    }`,
  };
}
const replies = (verb: string) =>
  /^(?:answer|reply|respond)$/i.test(verb) ? "answers" : gerund(verb);
