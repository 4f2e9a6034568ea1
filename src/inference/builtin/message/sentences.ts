/** Splits text into sentences, and removes greetings, fillers and tag questions. */

import { CONDITION_ADJECTIVES, CONDITION_NAMES } from "../lexicon/health.ts";
import { VERBS } from "../lexicon/verbs.ts";
import { dictatedClauses } from "./run_on.ts";
import { asksToRemember, isRequestAlone, withoutRequest } from "./remember.ts";
import { compile, pattern } from "../lexicon/lines.ts";
import { compactText } from "../../../kernel/text.ts";

/** A sentence, without greetings and wrappers ("I should mention that …"). */
export interface Sentence {
  readonly text: string;
  /** Whether it ended with a question mark that isn't part of a tag ("…, right?"). */
  readonly question: boolean;
  /** Whether it asks to be remembered. */
  readonly explicit: boolean;
}

const ABBREVIATION =
  /(?:^|[\s(])(?:St|Dr|Mr|Mrs|Ms|Prof|Rev|Sr|Jr|Inc|Ltd|Co|Corp|No|Nr|vs|etc|e\.g|i\.e|approx|a\.m|p\.m|U\.S|U\.K|Ph\.D|Mt|Ave|Gen|Sgt|Capt|(?<!\b(?:an?|no) )[A-Z])\.$/;

/** A day before the name of a month in German, "4. August". */
const DAY = /(?<![\p{L}\d])\d{1,2}\.$/u;
const GERMAN_MONTH =
  /^\s+(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u;

/** Splits at sentence ends, line ends and emoji; abbreviations and initials end nothing. */
export function splitSentences(text: string): readonly string[] {
  const out: string[] = [];
  // "I'm a teacher.I live in Lyon,i like it": blanks that were left out.
  const spaced = text.replace(/(?<=\p{Ll}[.!?])(?=(?:I|My|We|He|She|They|Our)(?: |'))/gu, " ")
    .replace(/(?<=\p{L}),(?=[iI] )/gu, ", ")
    // "emacs.. learned it in the navy": two dots are a pause.
    .replace(/(?<=[\p{L}\p{N}])\.\.\s+(?=\p{Ll}|I\b)/gu, ", ");
  for (
    const line of spaced.replace(
      /\p{Extended_Pictographic}[\u{FE0F}\u{200D}\u{1F3FB}-\u{1F3FF}]*/gu,
      (m) => /[\d#*©®™]/.test(m) ? m : "\n",
    ).split(/\n+/)
  ) {
    let start = 0;
    for (
      const m of line.matchAll(/(?:(?<![.!?…])[.!?…]+["')\]]*|:\)|:-\)|;\)|:\(|:D|<3)(?=\s+|$)/g)
    ) {
      const end = m.index + m[0].length;
      const sentence = line.slice(start, end);
      if (m[0] === "." && ABBREVIATION.test(sentence.slice(-12)) && end < line.length) continue;
      if (DAY.test(sentence) && GERMAN_MONTH.test(line.slice(end))) continue;
      if (/^\s*(?:\d+|[-*•])[.)]?\s*$/.test(sentence)) continue;
      out.push(sentence);
      start = end;
    }
    out.push(line.slice(start));
  }
  return out.map((s) => compactText(s.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, "").trim())).filter((
    s,
  ) => /[\p{L}\p{N}]/u.test(s));
}

const TAG =
  /(?:, (?:right|ok|okay|yeah|huh|eh|innit)|,? (?:just so you know|can you believe (?:it|that)|isn't (?:it|that)(?: \w+)?|aren't (?:I|they|we)|don't (?:you|I|we|they)(?: think| agree)?|you know|know what I mean|would you believe(?: it)?|wouldn't you say|didn't (?:I|we)|haven't (?:I|we)|doesn't (?:it|she|he)|if you (?:can believe|know what I mean)(?: it)?|believe it or not))\s*[?!.]*$/i;
const OWN_QUESTION =
  /(?:,|;| -| –| —)? (?:(?:and |but |so )?(?:what about you(?:rs)?|how about you(?:rs)?|and you(?:rs)?|what's yours|you|wbu|hbu|any (?:\p{L}+ )?(?:tips|ideas|recommendations|suggestions|advice)[^?]*|(?:do|can|could|would|will|have|are|is|did) (?:you|that|this|it|there)\b[^?]*|(?:what|where|which|how|who|why|when)\b[^?]*|should I[^?]*))\?\s*$/iu;
const STATES = /^(?:[^,?]*\b)?(?:I|I'm|I've|my|we|we're|we've|our)\b/i;

/** Removes a question at the end of a statement ("…, can you believe it?"). */
function withoutTag(text: string): string {
  const bare = text.replace(TAG, "");
  if (bare !== text) return bare;
  const m = OWN_QUESTION.exec(text);
  const left = m ? text.slice(0, m.index) : "";
  if (!m || !/^[,; –—-]/.test(m[0]) || left.length < 6 || !STATES.test(left)) return text;
  return isQuestionForm(left) || !/^(?:[,;]| [-–—])/.test(m[0]) ? text : left.replace(
    /^(?:since|because|as|given(?: that)?|considering(?: that)?|now that) (?=I\b|my\b|we\b)/i,
    "",
  );
}

const QUESTION = pattern("i")`
  ^(?:(?:so|and|but|well|ok|okay|hey|hi|hello|yo|um|uh|oh|also|anyway|alright|please|pls),? )*(?:(?:what|where|who|whom|whose|
  which|why|how)(?!ever)(?:'s|'re|
  'd| is| are| am| was| were| do| does| did| can| could| should| would| will| have| has| much| many| about| come| long| old| often| if| kind| sort| time| [a-z]+ (?:should|
  do|does|is|are|can|would|did))|(?:do|does|did|can|could|would|will|should|shall|is|are|
  am|was|were|have|has|may|might|isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|
  wouldn't|shouldn't|haven't|hasn't) (?:i|you|we|he|she|it|they|there|this|that|these|
  those|my|your|our|his|her|their|the|a|an|any|anyone|anybody|someone|everyone)|
  when (?:do|does|did|can|could|should|would|will|is|are|was|were) (?:i|you|we|he|she|it|they|
  there|this|that|the|my|our|your)|any (?:ideas?|tips|chance|advice|suggestions|recommendations|thoughts|updates|good)|
  got any)\b
`;

/** Checks whether a sentence has the form of a question, with or without a question mark. */
export function isQuestionForm(text: string): boolean {
  if (/^(?:Is|Are|Do|Does|Did|Can|Was|Were|Has|Have|Should|Would|Could) \p{Lu}\p{L}+/u.test(text)) {
    return true;
  }
  return QUESTION.test(text);
}

const OPENERS: readonly RegExp[] = [
  /^(?:hey+|hi+|hello+|hullo|hallo|hiya|g'day|howdy|yo|greetings|(?:good )?(?:morning|afternoon|evening)|good (?:day|night)|dear \w+)(?: (?:there|everyone|everybody|all|team|folks|guys|again|you|mate|buddy|dear))?(?:[,!.:;]+| -|$)\s*/i,
  /^(?:[Hh]ey|[Hh]i|[Hh]ello),? (?:\p{Lu}\p{L}+)(?:[,!.:;]+| -|$)\s*/u,
  pattern("iu")`
    ^(?:oh+|ah+|aw+|well|so|ok(?:ay)?|yeah|yes|yep|yup|no|nope|nah|ugh+|wow|whoa|ha(?:ha)+|
    lol|hm+|um+|uh+|er+m*|right|sure|cool|great|awesome|nice|true|alright|
    thanks(?: (?:a lot|so much|again|\p{Lu}\p{L}+))?|thank you(?: (?:so much|very much|
    again))?|sorry|please note|look|listen|see|anyway|anyways|anyhow|btw|by the way|fyi|
    for the record|for (?:your )?(?:info|information|reference|context|background)|
    just so you know|just so you're aware|just fyi|just (?:a )?(?:quick )?(?:note|
    heads[- ]up|update|reminder)|heads[- ]up|in case it (?:helps|matters)|
    in case you(?:'re| are| were)? (?:wondering|curious|wondered)|if you must know|
    to be (?:honest|fair|clear|precise)|truth be told|honestly|frankly|tbh|actually|
    basically|luckily|fortunately|thankfully|unfortunately|sadly|happily|finally|plus|also|
    moreover|besides|furthermore|additionally|incidentally|quick (?:update|note|intro|
    question|profile|summary|background|context|recap)(?: [^:.]{0,30}(?=:))?|small update|big update|update|note|nb|
    n\.b\.|ps|p\.s\.|pps|one more thing|another thing|one thing|(?:two|three|four|a few|
    a couple of|some) (?:quick )?things|first(?:ly)?|to introduce myself|first off|
    for starters|to start with|(?:scratch|strike|disregard|ignore|forget) (?:that|
    what I (?:just )?said)|I take (?:that|it) back|correction|typo|oops|whoops|wrong|
    my mistake|I misspoke|I was wrong|(?:no,? )?(?:that's|that is|that was|it's) (?:wrong|
    not right|a typo|a mistake)|hang on|hold on|jk|that was (?:just )?a (?:joke|lie)|
    bottom line|summary|recap|profile|key facts|first of all|second(?:ly)?|third(?:ly)?|lastly|fun fact|
    random fact|true story|good news|great news|bad news|big news|sad news|exciting news|
    news flash|newsflash|guess what|you know what|you know|tell you what|
    to answer your questions?|before (?:we|I) (?:begin|start|go on|forget)|
    (?:so,? )?introductions?|remember|reminder(?=: (?:I|I'm|my|we)\b)|intro|about me|
    a bit about me|background|context|as I said|as (?:I )?mentioned(?: before)?|like I said|
    as you (?:may |might |probably )?know|turns out|it turns out|in fact|
    (?:some |a few |more |quick |basic )?(?:facts|info|information|details|notes) (?:about|
    on) me|(?:small|quick|minor|slight|tiny) correction|in short|long story short|
    as a matter of fact|on a personal note|on another note|speaking of which|that said|
    having said that|funny enough|believe it or not|all right|of course|obviously|
    needless to say|no problem|whatever|never mind|no worries|no thanks|no thank you|
    congrats|absolutely|definitely|exactly|totally|indeed|let me see|let's see|mind you|
    disclaimer|confession|cheers|wait|(?:ok(?:ay)?|great|perfect|cool|awesome|super|
    nice) thank(?:s| you)|(?:just |only )?(?:kidding|joking)|omg|gosh|man|dude|hooray|yay|
    woohoo|damn|good question)(?:[,!.:;…]| -+| –| —)+\s*
  `,
  /^(?:(?:a )?(?:lots?|much|so much|many things)(?: has|'s| have)? (?:happened|changed|been going on) )?(?:ever )?since (?:we(?:'ve)? last (?:spoke|talked|chatted|met|spoken|saw each other)|our last (?:chat|talk|conversation|call)),? (?=(?:I|I'm|I've|I'd|my|we|we're|we've|our)\b)/i,
  /^(?:I am |I'm |I do not know |I don't know )?(?:not sure )?(?:if|whether) (?:it|this|that)(?:'s| is)? (?:matters|helps|counts|relevant|important|useful|of any use|makes a difference|interesting),? (?:but )?(?=(?:I|I'm|I've|my|we|we're|our)\b)/i,
  /^(?:ok(?:ay)?|right|alright|yeah|so|well|and|but|anyway|hey|hi|yo|um) (?=(?:so|long story short|anyway|basically|to be honest),? )/i,
  /^(?:sir|madam|ma'?am|bro|mate|dude|guys)(?:,? (?=(?:please|kindly|pls)\b)|, (?=(?:can|could|would|will|help)\b))/i,
  /^(?:please )?do me (?:a|the) favou?r(?: and|,) (?=\p{L})/iu,
  /^if (?:you(?:'re| are)? (?:want|need|must|ask|like|care|wondering|curious|interested|remember|wonder)|any(?:one|body) (?:asks|cares|wonders|wants))\b[^,?]{0,40}, (?=(?:I|I'm|I've|my|we|we're|our)\b)(?!.*\b(?:would|will|could|might)\b|.*(?:'d|'ll)\b)/i,
  /^long story short,? (?=(?:I|I'm|I've|my|we)\b)/i,
  /^(?:lol|ha(?:ha)+|hah|nope|nah|no)\s+(?=(?:(?:no|nope|nah|actually|sorry)\s+)?(?:I|I'm|I've|my|we)\b)/i,
  /^I (?:meant|was trying) to (?:say|write|type)(?: that)? (?=(?:I|I'm|I've|my|we)\b)/i,
  /^(?:please )?(?:don't forget|do not forget|remember|keep in mind|bear in mind) that (?=the\b)/i,
  /^(?:user|human|me): +/i,
  /^I know (?:that )?I (?:said|told you|wrote|mentioned) [^,;]{2,40}, but /i,
  pattern("i")`
    ^(?:and|but|so|also|plus|because(?! (?:I|my)\b.*[ ,](?:I|my)\b)|well|then|oh|anyway|btw|
    by the way|actually|honestly|yeah|yes|basically|fyi|luckily|fortunately|unfortunately|
    sadly|turns out(?: that)?|it turns out(?: that)?|in fact|to be honest|finally|ok|okay|
    besides|apparently|hey|hi|hello|wow|and yes|oh and|no|jk) (?=(?:I|I'm|im|I've|ive|I'd|I'll|my|
    we|we're|we've|our|it's|he|she|they|please|remember|remind|the|don't|when)\b)
  `,
  pattern("i")`
    ^(?:(?:I )?(?:just |also )?(?:wanted|want|would like|'d like|should|must|have|need|
    thought I(?:'d| should| would)) (?:you )?to (?:mention|let you know|tell you|say|add|
    point out|share|note|inform you|clarify|know)|let me (?:tell you|mention|add|
    introduce myself|share)|I (?:should|must|might as well|can|will|'ll) (?:mention|add|say|
    tell you|admit|confess|note)|(?:please |always )*(?:remember|note|be aware|keep in mind|
    bear in mind|know|don't forget|make a note|mind)|you should (?:also )?know|you (?:may|
    might) (?:want|like) to know|(?:the )?(?:thing|fact|truth|good news|news|big news) is|
    it's worth (?:mentioning|noting|knowing|saying)|I'm (?:happy|proud|pleased|glad|excited|
    delighted|sad|sorry|thrilled|afraid) to (?:say|report|announce|tell you)|I'm afraid|
    I'm proud|just to (?:let you know|be clear|clarify)|I can tell you|
    I forgot to (?:mention|say|tell you)|did I (?:mention|tell you)|have I (?:mentioned|
    told you)|as you know|I (?:have to|must) (?:say|admit|confess)|
    what you should know (?:about me )?is|one thing (?:about me|to know|
    you should know)(?: about me)? is|something about me|I'd say|I would say|
    I mean)(?: that|:|,)? (?=(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our|this|it's)\b)
  `,
  // "I think I have ADHD": a guess, not a diagnosis.
  compile(
    `^(?:I believe|I think|I guess|I reckon)(?: that|:|,)? (?!I(?:'ve| have|'m| am) (?:(?!to\\b)[\\p{L}'-]+ ){0,4}(?:allerg|${CONDITION_NAMES}|(?:${CONDITION_ADJECTIVES})\\b))(?=(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our|this|it's)\\b)`,
    "iu",
  ),
];

/** Words that are in lower case inside a sentence, in addition to verbs. */
const SMALL =
  /^(?:in|at|on|from|and|or|but|the|an?|my|our|to|for|with|of|not|can|will|he|she|they|we|you|it|this|that|very|so|really|please|never|always|since|because|no|don't|can't|won't|isn't|it's|going|allergic|married|called|born|years|old|name|dogs?|cats?|wife|husband|son|daughter|sister|brother|mum|mom|dad|job|birthday|favou?rite|nurse|teacher|vegan|vegetarian)$/;
/** Returns "I LIVE IN LUND" in normal case. Words that aren't common may be names. */
function unshouted(text: string): string {
  if (/\p{Ll}/u.test(text) || text.split(/\s+/).length < 3) return text;
  return text.replace(/\p{Lu}[\p{Lu}']*/gu, (word, at: number) => {
    const low = word.toLowerCase();
    if (/^i(?:'(?:m|ve|d|ll))?$/.test(low)) return `I${low.slice(1)}`;
    return at > 0 && (SMALL.test(low) || VERBS.has(low)) ? low : word.charAt(0) + low.slice(1);
  });
}

/**
 * Removes greetings, interjections and wrappers ("I should mention that …") from the front,
 * repeatedly.
 */
function withoutOpeners(text: string): string {
  let out = text.trim();
  for (let i = 0; i < 6; i++) {
    const before = out;
    for (const pattern of OPENERS) out = out.replace(pattern, "").trim();
    if (out === before) break;
  }
  return out;
}

const CLOSERS = pattern("iu")`
  (?:,|;| -| –| —)? (?:nice to meet (?:you|ya|u)(?: all| both| guys)?|
  pleased to meet you(?: all)?|ugh|sigh|argh|phew|yay|by the way|btw|fyi|just so you know|
  for what it's worth|haha+|lol|thanks(?: a lot| so much)?|thank you|please|if that helps|
  in case you(?:'re| were)? wondering|to be honest|tbh|actually|though|you know|of course|
  obviously|believe it or not|for the record|as you know|I think|I guess|I believe|I mean|
  here|too|as well|unfortunately|sadly|luckily|fortunately|I'm afraid|if you must know|
  no joke|not gonna lie|and so on|etc)\s*$
`;

/** The same in the middle: "My name, by the way, is Ana". */
const BETWEEN =
  /,\s+(?:by the way|btw|you know|as you know|of course|obviously|to be honest|believe it or not|for what it's worth|for the record|in case you(?:'re| were)? wondering|I think|I guess|I believe|actually|please|sadly|luckily|unfortunately)(,)(?=\s+(\p{L}+))/giu;
const withoutBetween = (text: string): string =>
  text.replace(
    BETWEEN,
    (_all, comma: string, next: string) =>
      /^(?:is|are|was|were|has|have|had|will)$/.test(next) ? "" : comma,
  );

/** A request in the form of a question, for a reminder or about how to respond. */
const COURTESY = pattern("i")`
  ^(?:please )?(?:(?:can|could|would|will) you (?:please |kindly )?|
  I(?: want| need| would like|'d like) you to )(?=remind me (?!what\b|where\b|who\b|how\b|
  why\b|which\b|again\b|if\b|whether\b)|make sure (?:that )?I\b|not let me forget\b|
  call me\b|address me\b|stop \w+ing\b|from now on\b|(?:always|never) (?:use|answer|reply|
  respond|write|give|keep|explain|speak|address|include|add|format|show|call|start|end)\b|
  [^?]*\b(?:from (?:now|here) on|in (?:the )?future|going forward|by default)\b)|
  ^I(?: want| would like|'d like) you to (?=(?:answer|reply|respond|speak|talk to me|keep|
  be|always|never)\b)
`;

/** "Give me a nudge on Sunday to …". */
const NUDGE = /^(?:please )?give me a (?:nudge|shout|reminder|ping|poke)\b/i;

/** Retracts the sentence before. */
export const TAKES_BACK = pattern("i")`
  ^(?:(?:ok(?:ay)?|oh|ah|ha(?:ha)*|lol|no|nah|well|wait|actually|
  sorry),? )*(?:(?:I'm |I am |I was )?(?:just |only )?(?:kidding|joking|messing with you|
  pulling your leg)\b|jk\b|(?:scratch|strike|disregard|ignore|forget) (?:that|
  what I (?:just )?said)(?! )|(?:scratch|strike|disregard) (?:that|
  what I (?:just )?said)\b|(?:I )?take (?:that|it) back\b|that was (?:just )?(?:a (?:joke|
  lie)|sarcasm|sarcastic|ironic)\b|
  (?:not really,? )?I was (?:just |only )?(?:being )?(?:sarcastic|ironic)\b|
  I mean,? I used to[.!]*$)
`;

/** Longer sentences would cost every rule its time. They are lists, pasted text, or several that were dictated. */
const MAX_SENTENCE_CHARACTERS = 500;

/** A piece of a long sentence that is kept: up to the last clause or word that fits a memory. */
const PIECE = /.{1,280}$|.{1,279}[,;](?:\s|$)|.{1,280}(?:\s|$)|.{1,280}/gsu;

/** Returns the sentences of a text, ready for the gates. */
export function sentences(text: string): readonly Sentence[] {
  const all = splitSentences(text);
  return all.flatMap((raw, i) => {
    if (isRequestAlone(raw)) return [];
    const isKept = isRequestAlone(all[i + 1] ?? "");
    const isExplicit = isKept || asksToRemember(raw.slice(0, MAX_SENTENCE_CHARACTERS));
    const clauses = isExplicit ? [] : dictatedClauses(raw);
    if (clauses.length > 0) return clauses.flatMap((clause) => readySentence(clause, false));
    if (raw.length <= MAX_SENTENCE_CHARACTERS) return readySentence(raw, isKept);
    if (!isExplicit) return [];
    return (raw.match(PIECE) ?? []).flatMap((piece) => readySentence(piece.trim(), true));
  });
}

/** Returns a sentence ready for the gates, or none if nothing is left of it. */
function readySentence(raw: string, isKept: boolean): Sentence[] {
  const statement = withoutRequest(raw);
  const untagged = withoutBetween(withoutTag(unshouted(statement)));
  const asked = withoutOpeners(untagged),
    request = asked.replace(COURTESY, "").replace(NUDGE, "remind me");
  const question = request === asked && /\?["')]*\s*$/.test(untagged);
  let bare = request.replace(/[\s.!?…,;:]+$/, "").replace(/^[\s,;:.!–—-]+/, "")
    .replace(/(?::-?\)|;\)|:\(|:D|<3)$/, "").trim();
  for (let i = 0; i < 2; i++) {
    if (/^\p{L}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)? (?:here|speaking)$/u.test(bare)) break;
    const cut = bare.replace(CLOSERS, "");
    if (
      /^(?:.{0,3}|.*\b(?:I'm|I am|this is|is|are|me|live|living|work|working|born|from|moved|over|out|in|right|up|down))$/i
        .test(cut)
    ) break;
    bare = cut;
  }
  return /[\p{L}\p{N}]/u.test(bare)
    ? [{ text: bare, question, explicit: isKept || statement !== raw || asksToRemember(untagged) }]
    : [];
}
