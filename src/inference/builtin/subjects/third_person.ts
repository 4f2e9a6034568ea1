/** Writes a first-person clause in the third person, without "I", "my" and "you". */
import { capitalize, truncate } from "../../../kernel/text.ts";
import { hasVerb } from "../clauses/clauses.ts";
import { isModal, isPastVerb, ofParticiple, thirdPerson, VERBS } from "../lexicon/verbs.ts";
import type { Speaker } from "./subjects.ts";
import { NAME } from "../values.ts";
import { compile } from "../lexicon/lines.ts";

const ADVERB =
  /^(?:just|also|still|always|never|often|usually|now|really|even|only|both|then|currently|sometimes|already|almost|soon|once|recently|mostly|mainly|kinda|rarely|seldom|ever|maybe|probably|definitely|actually|finally|not|so|too|(?!(?:fly|rely|apply|reply|supply|comply|bully|multiply)$)\p{L}+ly|personally|all|honestly|no|longer|kind|of|sort)$/iu;
const PLAIN = /^(?:\p{L}+)$/u;
const NO_VERB =
  /^(?:and|or|but|who|the|a|an|in|on|at|of|for|to|with|my|me|from|am|as|if|that|is|I|since)$/i;

const PAST_ALIKE = /^(?:put|set|cut|let|hit|quit|cost|hurt|shut|split|spread|bet|read)$/;
const LONG_AGO =
  /\b(?:on (?:the )?\d|(?:in|on) (?:Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b|yesterday|last (?:\w+)|ago|this morning|in (?:19|20)\d\d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;

const NAME_AND_I = compile(`^(${NAME}(?:, ${NAME})*),? and I\\b`, "u");

interface Marks {
  named: boolean;
}

/** Checks whether a clause has a date or, after its verb, a past form. */
const isOfThePast = (words: readonly string[], verb: number): boolean =>
  LONG_AGO.test(words.join(" ")) || words.some((word, i) => i !== verb && isPastVerb(word));

/** "His dad and I do", "must I list": words before "I" with which its verb doesn't agree. */
function isPluralOrInverted(before: readonly string[]): boolean {
  const last = before.at(-1) ?? "", subject = before.slice(0, -1).join(" ");
  return isModal(last) || /^(?:am|was|do|did|have|had)$/i.test(last) ||
    last === "and" && /^(?:the|my|his|her|their) (?:\S+ ?){1,3}$/i.test(subject) &&
      !hasVerb(subject);
}

/** Conjugates the verb after the subject; returns the words with the first finite verb agreeing. */
function agree(words: string[], from: number): boolean {
  for (let i = from; i < Math.min(words.length, from + 6); i++) {
    const word = words[i]!;
    const bare = word.replace(/[^\p{L}']/gu, "");
    if (ADVERB.test(bare) && !VERBS.has(bare)) continue;
    // "Since we last spoke": an adverb here, a verb elsewhere.
    if (bare === "last" && isPastVerb(words[i + 1] ?? "")) continue;
    if (!PLAIN.test(bare) || (NO_VERB.test(bare) && bare !== "am")) return false;
    if (isModal(bare) || isPastVerb(bare) && !/^(?:were)$/.test(bare)) return false;
    // "I quit Amazon last week", "I put it on because he asked": past, though it looks like the present.
    if (bare === "quit" || PAST_ALIKE.test(bare) && isOfThePast(words, i)) return false;
    // "I been there since 2020".
    const done = VERBS.has(bare) || bare === "used" ? null : ofParticiple(bare);
    if (done !== null && done[0] !== bare) {
      words[i] = word.replace(bare, `has ${bare}`);
      return false;
    }
    words[i] = word.replace(bare, thirdPerson(bare));
    return !isPastVerb(bare);
  }
  return false;
}

/** Later verbs that share the subject: "… and work", after a present verb. */
function agreeCoordinated(words: string[], from: number): void {
  for (let i = from; i + 1 < words.length; i++) {
    const listed = words[i]!.endsWith(",");
    if (!/^(?:and|but|or|then)$/.test(words[i]!) && !listed) continue;
    let j = i + 1;
    while (
      /^(?:also|then|just|really|usually|always|still|never|now|sometimes|but|and)$/.test(
        words[j] ?? "",
      )
    ) j++;
    const next = words[j];
    // "…, like my sister": a comparison.
    if (
      !next || !VERBS.has(next) || listed && next === "like" ||
      /^(?:is|are|was|were|has|does|play|dance|sleep|travel|exercise|work|walk|camp|cover|order|support|practice|design|program|surf|garden|fish|paint|cook|cycle|bike|call|visit|try|help|dream|drink|water|share|train|run|love|talk|hope|need)$/
          .test(next) &&
        !/^(?:at|in|as|for|to|the|my|a|an|from|on|with|her|him|them)$/.test(words[j + 1] ?? "")
    ) continue;
    if (
      /\b(?:to|like|love|enjoy|can|will|would)\b/.test(
        words.slice(Math.max(from, i - 4), i).join(" "),
      )
    ) continue;
    words[j] = thirdPerson(next);
  }
}

function pronouns(words: string[], who: Speaker, start: boolean): void {
  const marks: Marks = { named: start };
  const name = who.display;
  const other = who.other ?? "the assistant";
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const m =
      /^(["'(¤]*)(I|[Mm]y|me|mine|myself|[Yy]ou|[Yy]our|[Yy]ours|u|ur|yourself|You're|yourselves)((?:'s)?[^\p{L}]*)$/u
        .exec(word);
    if (!m) continue;
    const [, before = "", pronoun = "", after = ""] = m;
    const put = (text: string) => words[i] = before + text + after;
    switch (pronoun.toLowerCase()) {
      case "i":
        if (marks.named) {
          put("they");
          const next = words[i + 1] ?? "";
          if (next === "am") words[i + 1] = "are";
          else if (next === "was") words[i + 1] = "were";
          else if (/^(?:just|also|really|still|now|always)$/.test(next) && words[i + 2] === "am") {
            words[i + 2] = "are";
          }
        } else {
          put(name);
          if (
            !/^and$/i.test(words[i + 1] ?? "") &&
            !isPluralOrInverted(words.slice(0, i)) && agree(words, i + 1)
          ) {
            agreeCoordinated(words, i + 2);
          }
        }
        marks.named = true;
        break;
      case "my":
        put(marks.named ? "their" : `${name}'s`);
        marks.named = true;
        break;
      case "mine":
        put(marks.named ? "theirs" : `${name}'s`);
        marks.named = true;
        break;
      case "me":
        put(marks.named ? "them" : name);
        marks.named = true;
        break;
      case "myself":
        put("themselves");
        break;
      case "you":
      case "u":
      case "yourself":
      case "yourselves":
        put(other);
        break;
      case "your":
      case "ur":
      case "yours":
        put(`${other}'s`);
        break;
    }
  }
}

/** Returns words about `who` without I, my or you, for a sentence that begins with their name. */
export function withoutFirstPerson(text: string, who: Speaker): string {
  const words = text.split(/\s+/);
  pronouns(words, who, true);
  return words.join(" ");
}

/** Words that join a sentence to the one before it. */
const CONJUNCTIONS = /^(?:(?:and|but|so|then|plus|also|because),? )+/i;

/** Removes half of a pair of parentheses: "my hands shake (a tremor", "Mathilda is 8) only eats". */
function withoutHalfAside(text: string): string {
  const opened = text.split("(").length, closed = text.split(")").length;
  if (opened > closed) return text.replace(/ \((?=[^()]*$)/, ", ");
  // Not after "1)", "a)" in a list, nor in "=)".
  return opened < closed
    ? text.replace(/^((?:[^()\s:;]+ ){2,}[^()\s:;]*[\p{L}\p{N}])\)\s[^)]*$/u, "$1")
    : text;
}

/** Returns the memory text of a clause: one sentence about `who`, at most 300 characters. */
export function thirdPersonText(clause: string, who: Speaker): string {
  const words = clause.replace(
    /(?<=^|[,;] |\b(?:and|but|so) )[Mm]y (\p{L}+(?: \p{Lu}\p{L}+)?)((?:, my \p{L}+(?: \p{Lu}\p{L}+)?)+,?)? and I\b/gu,
    (_all, first: string, others = "") => `I and my ${first}${others.replace(/,$/, "")}`,
  ).replace(NAME_AND_I, "I and $1")
    .replace(/\byou (?:all|guys)\b/gi, "you").replace(/\bus\b/g, "me").split(/\s+/).filter(Boolean);
  pronouns(words, who, false);
  const text = words.join(" ").replace(/\s+([,.;:!?])/g, "$1").replace(/¤/g, "…").replace(
    /^[\s,;:–—-]+|[\s,;:–—-]+$/g,
    "",
  ).replace(/\bthey was\b/g, "they were").replace(/\bthey has\b/g, "they have");
  const [conjunctions = ""] = CONJUNCTIONS.exec(text) ?? [];
  const own = text.startsWith(who.display, conjunctions.length)
    ? text.slice(conjunctions.length)
    : text;
  const whole = withoutHalfAside(own);
  const short = whole.length <= 300 ? whole : truncate(whole, 299).replace(/\s+\S*$/, "");
  return capitalize(short);
}
