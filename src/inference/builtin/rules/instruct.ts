/** Lasting instructions about how to answer: preferences of the speaker. */
import { isInstruction, WANTS_ANSWERS } from "../gates.ts";
import { gerund } from "../lexicon/verbs.ts";
import { tidyValue } from "../../vocabulary.ts";
import { value } from "../values.ts";
import type { Draft } from "./rule.ts";
import { claim } from "./rule.ts";

const LEAD =
  /^(?:(?:please|kindly|from now on|in (?:the )?future|going forward|by default|just|can you|could you|always|when(?:ever)? [^,]{3,60}(?=,)),? )+/i;

/** The claim and the memory text of an instruction, null when the sentence is none. */
export function instruction(sentence: string): { drafts: Draft[]; text: string } | null {
  if (!isInstruction(sentence) || /^call me\b/i.test(sentence)) return null;
  // "Please use they/them for me" tells the pronouns, which have an attribute of their own.
  if (/\b(?:he|she|they|ze|xe)\/\w+/i.test(sentence)) return null;
  const wanted = WANTS_ANSWERS.exec(sentence)?.[1];
  if (wanted) {
    const how = value(wanted.replace(/,? (?:please|from now on)$/i, "").replace(" to be ", " "));
    return { drafts: claim("prefers", how), text: `I prefer ${how}` };
  }
  const bare = sentence.replace(LEAD, "").replace(/\byour (?=\p{L})/gu, "").replace(
    /(?:,? (?:with|to|for|at) me)?(?:,? all the time)?(?:,? please)?$/i,
    "",
  ).replace(
    /,? (?:please|from now on|by default|going forward|in (?:the )?future)$/i,
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
    /^(?:never|do not|avoid|stop|skip|drop|omit|leave out|cut(?: out)?) (?:ever )?(?:use|using|saying|add|adding|include|including|write|writing|send|sending|give me|giving me)? ?(.+)$/i
      .exec(bare);
  if (keep) {
    const what = /^(?:it|things)$/i.test(keep[1]!) ? "answers" : keep[1]!;
    const how = value(keep[2]!);
    const said = /^(?:under|below|within|to|in|at|above|over)\b/i.test(how)
      ? `${what} ${how}`
      : `${how} ${what}`;
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
    text: `I prefer the assistant to ${main.charAt(0).toLowerCase()}${main.slice(1)}`,
  };
}
const replies = (verb: string) =>
  /^(?:answer|reply|respond)$/i.test(verb) ? "answers" : gerund(verb);
