/**
 * Rewrites the verb of a clause in the present or the simple past, which the rules are written for.
 */
import { fromGerund, isPastVerb, ofBase, ofParticiple } from "../lexicon/verbs.ts";

const PERFECT = /^I have (\p{Ll}+) (.+)$/u;
/** Phrases for something that lasts until now. */
const LASTS = /\b(?:since|for (?:\p{L}+ ){0,3}(?:years?|months|ages|decades?)|all my life)\b/iu;

/** Verbs after which the other verb has come true ("I ended up moving", "I managed to get"). */
const CAME_TRUE =
  /^I (?:have )?(?:(?:end|wind|finish)(?:ed)? up|wound up|went ahead and|managed to|got to|happened to|was able to|have been able to|proceeded to|went on to) (\p{Ll}+)(.*)$/u;
/** "I've come to love", "I've grown to like": a present taste. */
const CAME_TO = /^I (?:have )?(?:come|came|grown|grew|learn(?:ed|t)) to (\p{Ll}+)(.*)$/u;
/** "I've discovered that I love pottery", "I'm pretty sure my cat is a Bengal": it is so. */
const KNOWN =
  /^I (?:have )?(?:(?:just|recently|finally) )?(?:found out|discovered|learn(?:ed|t)|reali[sz]ed|am (?:(?:pretty|quite|fairly|absolutely) )?(?:sure|certain))(?: that)? ((?:I|my) (?!was\b|were\b|had\b)\p{Ll}.+)$/u;
/** "I don't think I like olives". */
const NOT_THINK =
  /^I do not (?:think|believe|suppose)(?: that)? I (?!will|would|can|could|should|am|have)(\p{Ll}.+)$/u;

/** Returns a clause in the present or past of its main verb. Null if it already is. */
export function plainVerb(clause: string, said: string): string | null {
  const so = KNOWN.exec(clause);
  if (so) return so[1]!;
  const perfect = PERFECT.exec(clause);
  if (perfect) {
    const [, verb = "", rest] = perfect;
    const known = ofParticiple(verb) ?? (isPastVerb(verb) ? [null, verb] as const : null);
    if (known && !/^(?:be|have|get|go)$/.test(known[0] ?? "")) {
      return `I ${LASTS.test(said) && known[0] || known[1]} ${rest}`;
    }
  }
  const taste = CAME_TO.exec(clause);
  if (taste) return `I ${taste[1]}${taste[2]}`;
  const denied = NOT_THINK.exec(clause);
  if (denied) return `I do not ${denied[1]}`;
  const came = CAME_TRUE.exec(clause);
  if (!came) return null;
  const base = /ing$/.test(came[1]!) ? fromGerund(came[1]!) : came[1]!;
  return `I ${ofBase(base)}${came[2]}`;
}
