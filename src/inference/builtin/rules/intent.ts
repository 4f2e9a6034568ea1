/** Todos, goals and plans: actions that are still to be done, in the infinitive. */
import { fromGerund, ofParticiple } from "../lexicon/verbs.ts";
import { datePhrases, withoutDates } from "../../../kernel/dates/phrases.ts";
import { uncapitalize } from "../../../kernel/text.ts";
import { tidyValue } from "../../vocabulary.ts";
import { claim, type Draft, type Rule } from "./rule.ts";

/** Prepositions of a date that was cut off, but not the particle of a verb ("hand it in"). */
const HANGING =
  /(?<!^(?:move|settle|log|sign|check|hand|turn|send|fill|join|drop|carry|pass|try)(?: (?:it|them|this|that))?)\s+(?:on|in)\s*(?:the)?$|\s+(?:by|before|at|until|from|for)\s*(?:the)?$/i;

/** "…, currently running 25 miles a week": what goes on besides. */
const ALONGSIDE =
  /,\s+(?:(?:(?:currently|now|still|already|just) )+\p{Ll}+ing|hoping|aiming|planning|trying|looking|starting)\b.*$/u;

/** Returns a clause in the infinitive, without dates, deadlines and reasons. */
export function infinitive(text: string): string {
  const cut = withoutDates(text.replace(ALONGSIDE, "")).replace(
    /\s*(?:,? (?:because|since|as I|so that|so I|before I|when I|while I|if|unless|but|otherwise|or else|please|though|one day|some ?day|eventually|soon|at some point|in the future|again|though|for sure|asap|first thing|at the latest|the latest|at (?:\d{1,2}(?::\d\d)?\s?(?:am|pm)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight))\b.*)$/i,
    "",
  )
    .replace(HANGING, "").replace(/\b(?:the )?end of$/i, "").replace(HANGING, "");
  return tidyValue(cut);
}
const NO_TODO =
  /^(?:(?:at|on|in|for|with|now|because|again|sometimes)\b|(?:be|go now|go|pee|wee|poo|sneeze|scream|lie down|sit down|run|say|admit|ask|know|think|sleep|eat|rest|understand|see|laugh|agree|disagree|tell you|apologi[sz]e|vent|talk|confess|check out|hear|thank you|have|get going|get back to|catch up|remember that|leave now|head out|work|wait|stop|relax|calm down|try harder|get up|wake up|deal with|use|travel|commute|take (?:the|a) (?:train|bus)|wear)\b(?!.*\b(?:tomorrow|by|on \w+day|before)\b))/i;
/**
 * Returns the base form of a participle ("repaired" → "repair"). Unknown verbs follow the rule for
 * gerunds.
 */
const baseOf = (participle: string): string =>
  ofParticiple(participle)?.[0] ??
    fromGerund(participle.replace(/ied$/, "ying").replace(/ed$/, "ing"));
const todo = (text: string): Draft[] => {
  const what = text.replace(/^to /i, "");
  return NO_TODO.test(what) ? [] : claim("todo", infinitive(what).replace(/\bmy\b/g, "their"));
};
const goal = (text: string): Draft[] =>
  claim(
    "goal",
    infinitive(text.replace(/^(?:to be able to|be able to|to|being able to) /i, "")).replace(
      /\bmy\b/g,
      "their",
    ),
  );
const gerundGoal = (text: string): Draft[] => {
  const [verb = "", ...rest] = text.split(" ");
  return /ing$/i.test(verb) ? goal([fromGerund(verb), ...rest].join(" ")) : goal(text);
};
const plan = (said: string): Draft[] => planOf(/^\p{Lu}/u.test(said) ? `go to ${said}` : said);
const planOf = (text: string): Draft[] =>
  claim("plan", infinitive(text.replace(/^to /i, "")).replace(/\bmy\b/g, "their"));
const NO_GOAL =
  /^(?:to )?(?:know|ask|say|see (?:it|that|this|you|how|if|what)|hear|help you|talk|tell|thank|share|mention|be (?:clear|honest|sure|alone|there|able)|chat|apologi[sz]e|cry|sleep|eat|go home|understand|make sure|go to bed|believe|think|show you|give you|a |an |the |some |you|point out|emphasi[sz]e|check|order|book|try that|add|add that|let you|use this|do that|do this|do it|kill|scream|die|die of|discuss|get some)\b/i;

/** "Remind me on Monday at 9:00 to …": the time comes before the task. */
const WHEN =
  "(?:tomorrow|tonight|today|next \\w+|this \\w+|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|on (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: (?:of )?\\p{L}+)?|on \\p{Lu}\\p{Ll}+ \\d{1,2}(?:st|nd|rd|th)?|in (?:\\w+|a couple of|a few) (?:minutes?|hours?|days?|weeks?|months?|years?)|in the \\w+|(?:at|around|by) (?:\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]\\.?m\\.?)?|noon|midnight)|(?:morning|afternoon|evening|night))";
const WHEN_ASKED = new RegExp(`(?: ${WHEN}){1,4}`, "iu");

/** "The dentist on Friday", "dentist on Friday": an appointment, not an action. */
const NO_ACTION =
  /^(?:the|my|our|that|this|an?) |^\p{L}+'s |^(?!(?:go|get|check|meet|look|work|come|stay|call|stop|log|pay|pick|drop|sign|sit|turn)\b)\p{L}+(?: appointment| meeting| call| party| exam)? (?:(?:on|this|next) \p{L}+day|at \d|tomorrow|today|tonight)\b/iu;

/** Rules of this group. */
export const INTENT: readonly Rule[] = [
  {
    example: "Don't forget the milk.",
    when: new RegExp(
      `^(?:please |can you |could you |some(?:one|body) (?:please )?)?(?:(?:do not|never) (?:let me )?forget|remind me|make sure (?:that )?I (?:remember|do not forget)|help me remember|remember(?! (?:me|us|him|her|it|this|that|them)$)|note to self:?|set a reminder|reminder|make a note|I (?:need|want|would like) (?:you to remind me|a reminder|to be reminded)|nudge me|ping me(?! (?:at|on|via) \\S*@)|put (?:it )?on my (?:to-?do )?list)(?::| to| about| for me| ${WHEN}(?=[ ,:])| that I (?:need|have|must|should)(?: to)?| of| for){0,6}[:,]? (?:to )?(.+)`,
      "iu",
    ),
    then: (m) =>
      /\b(?:that|how|when|what|who|where|why|if)\b/i.test(m[1]!.split(" ")[0]!)
        ? []
        : todo(/^\p{L}+'s /u.test(m[1]!) ? `remember ${m[1]}` : m[1]!),
    type: "todo",
    text: (m) => {
      const head = m[0].slice(0, m[0].length - m[1]!.length);
      const what = / (?:about|of) $/i.test(head) || NO_ACTION.test(m[1]!)
        ? `remember ${m[1]}`
        : m[1]!.replace(/^to /, "");
      return `I need to ${what}${WHEN_ASKED.exec(head)?.[0] ?? ""}`;
    },
  },
  // "Pick up Leo at 4 tomorrow!": an errand with its date.
  {
    example: "Pick up Leo at 4 tomorrow!",
    when:
      /^(?:pick up|drop off|collect|buy|pay (?!attention)|renew|return|hand in|take out|water) (?!it\b|that\b|me\b|low\b).+/i,
    then: (m, a) => datePhrases(a.said, a.anchor, "future").length ? todo(uncapitalize(m[0])) : [],
    type: "todo",
    text: (m) => `I need to ${uncapitalize(m[0])}`,
  },
  {
    example: "Make sure I don't miss the deadline on Monday.",
    when: /^(?:please )?make sure (?:that )?I do not miss (.+)/i,
    then: (m) => claim("todo", infinitive(`not miss ${m[1]}`)),
    type: "todo",
    text: (m) => `I must not miss ${m[1]}`,
  },
  {
    example: "TODO: update CV",
    when:
      /^(?:to-?do(?: list)?|task|action item|reminder|to do|need to do)\s*(?:for )?((?:me|today|tomorrow|tonight|(?:on )?\p{L}+day|this week)?)\s*[:\-–]\s*(.+)/iu,
    then: (m) => todo(m[2]!),
    type: "todo",
    text: (m) => `I need to ${m[2]!.replace(/^to /, "")} ${m[1]!.replace(/^me$/i, "")}`.trimEnd(),
  },
  {
    example: "I must not forget Ben's recital on Friday.",
    counterexample: "I must be getting old.",
    when:
      /^I (?:can not|must not|should not|do not want to|better not|had better not|will not|can not afford to|could not) (?:forget|miss|neglect)(?: to)? (.+)/i,
    then: (m) => todo(m[1]!),
    type: "todo",
  },
  {
    example: "Need to buy milk.",
    when:
      /^I (?:(?:still|really|also|urgently|absolutely) )*(?:need to remember to|need to|have to remember to|have to|must remember to|must|have got to|ought to|should remember to|should|am supposed to|am obliged to|had better|am required to|am due to|promised to|am expected to) (?:(?:still|also|really|remember to|not forget to|make sure to|make sure I) )*(?!be\b|say\b|admit\b|have been\b|not\b|confess\b)(.+)/i,
    then: (m) => todo(m[1]!),
    type: "todo",
  },
  {
    example: "The dishes need to be washed.",
    counterexample: "The recipe says I need two eggs.",
    when:
      /^((?:the )?.{3,60}?) (?:needs? to be|has to be|have to be|must be) (\p{L}+ed|done|paid|sent|made|bought|sold|written|fixed|cut|taken|brought)\b(.*)/iu,
    then: (m) => claim("todo", infinitive(`${baseOf(m[2]!)} ${m[1]}`)),
    type: "todo",
  },
  {
    example: "My plan is to retire at 55.",
    counterexample: "My goal is simple.",
    when:
      /^(?:one of )?my (?:(?:ultimate|main|big|biggest|long-term|short-term|next|current|life|lifelong|one|new|personal|career|fitness|financial|number one|only) )*(?:goals?|plan|aims?|dreams?|ambitions?|objectives?|targets?|resolutions?|new year's resolutions?|hope|aspiration|wish|bucket list item|mission|intention)(?: (?:for|in|of|this|is for)\b.*?)?(?: is|:| would be| has always been| was always| remains)(?: still| now| simply| just)? (?:to )?(?:be able to )?(.+)/i,
    then: (m) => gerundGoal(m[1]!),
    type: "goal",
  },
  {
    example: "I wanna get fit.",
    counterexample: "I never wanted children.",
    when:
      /^I (?:have )?(?:(?:really|always|someday|one day|eventually|also|still|definitely|desperately|just) )*(?:want|wanted|would (?:really |so |absolutely )?(?:love|like)|hope|am hoping|aim|am aiming|aspire|long|intend|would one day like|wish|am determined|am keen|am eager|am dying|set out|am striving|am working(?: hard)?|yearn|strive) to (?!know\b|say\b)(.+)/i,
    then: (m, a) =>
      /wanted/.test(m[0].slice(0, 14)) && !/\bhave always wanted\b/.test(a.said) ||
        NO_GOAL.test(m[1]!)
        ? []
        : goal(m[1]!),
    type: "goal",
  },
  {
    example: "I dream of living in Norway.",
    counterexample: "I never wanted children.",
    when:
      /^I (?:(?:really|have always|always|still|secretly) )*(?:dream|dreamed|am dreaming|fantasi[sz]e) (?:of|about) (.+)/i,
    then: (m) => gerundGoal(m[1]!),
    type: "goal",
  },
  {
    example: "I'm writing my thesis on coral bleaching.",
    counterexample: "I'm writing to you from my flat in Ostrava.",
    when:
      /^I am (?:currently |now |busy )?(planning|organi[sz]ing|preparing|writing|building) ((?:an?|my|our|the) (?:\p{L}+ ){0,3}(?:party|trip|wedding|holiday|vacation|book|novel|event|garden|renovation|move|thesis|game|app|house|surprise|conference|retreat|tour|reunion|exhibition|album|dissertation|boat|shed)\b.*)/iu,
    then: (m, a) => {
      const what = `${fromGerund(m[1]!)} ${m[2]}`;
      return datePhrases(a.said, a.anchor, "future").length ? planOf(what) : goal(what);
    },
    type: "goal",
  },
  {
    example: "We're saving for a house.",
    counterexample: "We're trying for a baby.",
    when:
      /^I am ((?:saving|putting)(?: up| money| cash| something)?(?: aside| away)?(?: for| to)|working towards?|training for|training to|practi[sc]ing for|preparing for|studying for|aiming for|hoping for|shooting for|on track to|trying to (?:lose|quit|learn|get better|become|save|read|eat|drink|run|improve|cut|reduce|write|finish|stop|give up|gain|build)) (.+)/i,
    then: (m) => {
      const [verb = "", ...rest] = m[1]!.split(" ");
      return goal(
        /^trying/.test(m[1]!)
          ? `${m[1]!.replace(/^trying to /, "")} ${m[2]}`
          : `${fromGerund(verb)} ${rest.join(" ")} ${m[2]}`,
      );
    },
    type: "goal",
  },
  {
    example: "I'm going to Paris in June.",
    counterexample: "I'm going to kill him!",
    when:
      /^I (?:am|was) (?:(?:now|currently|also|seriously|actively|finally|still) )*(?:going|planning|about|intending|set|scheduled|due|looking) (?:on |to |forward to )(?!bed\b|sleep\b|the\b|be honest\b|say\b)(\p{L}.+)/iu,
    then: (m) =>
      /^I was/.test(m[0]) || /looking (?:to hear|forward)/.test(m[0])
        ? []
        : /ing$/.test(m[1]!.split(" ")[0]!) && /\bon\b/.test(m[0].slice(0, 20))
        ? plan([fromGerund(m[1]!.split(" ")[0]!), ...m[1]!.split(" ").slice(1)].join(" "))
        : plan(m[1]!),
    type: "goal",
  },
  {
    example: "I'll retire next year.",
    counterexample: "I'll be 60 next year.",
    when:
      /^I will (?!not\b|be (?:there|back|fine|ok|here|right)\b|let you\b|see\b|try\b|check\b|keep\b|have to\b|never\b|always\b|definitely\b|be (?!in\b|at\b|on\b|\w+ing\b)|take (?:it|that)\b|get back\b|look\b|do my best\b|pass\b|think\b|do (?:it|that|this|so)\b)(?:be (?=\w+ing\b))?(.+)/i,
    then: (m, a) => datePhrases(a.said, a.anchor, "future").length ? gerundPlan(m[1]!) : [],
    type: "event",
  },
];

function gerundPlan(text: string): Draft[] {
  const [verb = "", ...rest] = text.replace(/^be /, "").split(" ");
  return plan(/ing$/.test(verb) ? [fromGerund(verb), ...rest].join(" ") : text);
}
