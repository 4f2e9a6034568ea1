/** Decisions of a person or their group, with their topics. */
import { datePhrases } from "../../../kernel/dates/phrases.ts";
import { isQuality } from "../lexicon/qualities.ts";
import { toolAttribute } from "../lexicon/tools.ts";
import { value } from "../values.ts";
import { infinitive } from "./intent.ts";
import { claim, type Draft, type Rule } from "./rule.ts";

const TOPIC = "(?:as|for|to be|as our|as my|to handle|for handling)";
/**
 * Returns a claim of `decision:TOPIC`, with the topic in lower case, without articles, and with
 * underscores.
 */
function decision(choice: string, topic: string | undefined): Draft[] {
  const what = value(
    choice.replace(/ (?:instead of|over|rather than|and not|not|in favou?r of) .*$/i, ""),
  );
  if (!what || isQuality(what) || /^(?:by|up to|unanimous|final|made|taken)\b/i.test(what)) {
    return [];
  }
  if (/^(?:them|it|this|that|him|her|about|since|around|lately)\b/i.test(what)) return [];
  const name = topic &&
    value(topic).toLowerCase().replace(/^(?:the|my|our|a|an|all|all of|all our|new) /, "").replace(
      /[^\p{L}\p{N}]+/gu,
      "_",
    ).replace(/^_|_$/g, "").slice(0, 60);
  if (name && !/^(?:now|me|us|good|work|this|it|once|real|both)$/.test(name)) {
    return claim(`decision:${name}`, what);
  }
  return claim("decision", what);
}
/** The topic of a fronted "For the wedding, …", which is at the end by now. */
const FOR = / for (?:the |our |my )?([\p{L} -]{3,30})$/u;
/** Returns that topic, unless the "for" belongs to the choice itself ("I went for oak"). */
function fronted(clause: string, said: string): string | undefined {
  const topic = FOR.exec(said);
  return topic && !clause.includes(topic[0]) ? topic[1] : undefined;
}
const US =
  "(?:I|the (?:team|company|board|committee|group|family|band|club|crew|department|whole team)|my (?:team|company|group|department|board|club|wife and I|husband and I|partner and I|band)|everyone|it was|it has been)";
/** "I went with Anna to the cinema". */
const OUTING = /^\p{Lu}\p{L}+ to (?:the|an?|my|see|visit|get)\b/u;
const DECIDED =
  "(?:(?:have |has |had |all |both |finally |just |jointly |unanimously |eventually )*(?:decided|agreed|chose|chosen|opted|elected|settled|resolved|determined|concluded|voted|picked|selected|made up (?:my|our|their) minds?|committed))";

/** Rules of this group. */
export const DECISIONS: readonly Rule[] = [
  {
    example: "We decided to use Redis for caching.",
    counterexample: "We decided against Kubernetes.",
    when: new RegExp(
      `^${US} ${DECIDED}(?: (?:upon|together|that|on|in favou?r of))? to (?:go with|use|adopt|switch to|move to|pick|choose|build (?:on|with)|stick with|deploy with|write|migrate to|run) (.+?)(?: ${TOPIC} (?:the |our |my |all )?(.+))?$`,
      "i",
    ),
    then: (m) => tooled(m[1]!, m[2]),
    type: "decision",
  },
  {
    example: "We went for Rust in the end.",
    counterexample: "We went with Anna to the cinema.",
    when: new RegExp(
      `^${US} (?:am |are |is |will be |have been |has been )?(?:going|sticking|standardi[sz]ing|settling|gone|proceeding|moving (?:ahead|forward)|went|gone) (?:with|on|for) (.+?)(?: ${TOPIC} (?:the |our |my |all )?(.+))?$`,
      "i",
    ),
    then: (m, a) =>
      /^(?:a |my |the |you|her|him|them|it|lunch|dinner|friends)\b/i.test(m[1]!) && !m[2] ||
        OUTING.test(m[1]!)
        ? []
        : tooled(m[1]!, m[2] ?? fronted(m[0], a.said)),
    type: "decision",
  },
  {
    example: "I chose Hetzner over AWS.",
    counterexample: "I decided nothing yet.",
    when: new RegExp(
      `^${US} (?:have |has |finally |just |all )*(?:chose|chosen|picked(?! up)|selected|settled on|settled for|opted for|decided on|decided for|agreed on|went for|went with|gone with|landed on|voted for|decided in favou?r of|committed to|standardi[sz]ed on) (.+?)(?: ${TOPIC} (?:the |our |my |all )?(.+))?$`,
      "i",
    ),
    then: (m, a) =>
      /^to /.test(m[1]!) || OUTING.test(m[1]!) ? [] : tooled(m[1]!, m[2] ?? fronted(m[0], a.said)),
    type: "decision",
  },
  {
    example: "For logging we'll use Loki.",
    when: new RegExp(
      `^${US} (?:will|am going to) (?:use|go with|build (?:it )?(?:on|with)|stick with|standardi[sz]e on) (?!it\\b|this\\b|that\\b|your\\b|you\\b|them\\b)(.+?)(?: ${TOPIC} (?:the |our |my |all )?(.+))?$`,
      "i",
    ),
    then: (m, a) => {
      const topic = m[2] ?? fronted(m[0], a.said);
      return topic && !datePhrases(a.said, a.anchor, "future").length ? tooled(m[1]!, topic) : [];
    },
    type: "decision",
  },
  {
    example: "I've chosen to go part-time.",
    when: new RegExp(
      `^${US} ${DECIDED}(?: (?:together|at the meeting|yesterday|today))? (?:that |to (?!disagree)|(?=against |not to ))(.+)`,
      "i",
    ),
    then: (m) => claim("decision", infinitive(m[1]!.replace(/^I /, ""))),
    type: "decision",
  },
  {
    example: "The final decision is to use Rust.",
    counterexample: "The decision was made by the board.",
    when:
      /^(?:the|my) (?:final |team's |group's )?(?:decision|choice|verdict|plan of record|consensus) (?:(?:for|on|about) (?:the )?(.+?) )?(?:is|was|has been)(?: made)?(?: to| that| in favou?r of)?:? (?:to use |to go with )?(.+)/i,
    then: (m) => decision(m[2]!, m[1]),
    type: "decision",
  },
  {
    example:
      "Let's go with Scaleway, was the verdict after three meetings, and now I need the one-pager for legal",
    when:
      /^let us (?:go with|use|stick with|settle on|choose|pick|agree on|adopt) (.+?)(?: (?:for|as) (?:the |our |my |this )?(.+))?$/i,
    then: (m) => tooled(m[1]!, m[2]),
    type: "decision",
    text: (m) => `I decided to use ${m[1]}${m[2] ? ` for the ${m[2]}` : ""}`,
  },
  {
    example: "Decision made: no more meetings on Fridays.",
    when:
      /^(?:I am (?:for|with)|it is settled:?|that is settled:?|decision:|decision made:|decided:|final decision:) (?:I (?:will |am going to )?)?(?:to )?(?:use |go with )?(.+)/i,
    then: (m) => {
      if (/^I am/.test(m[0])) return [];
      const topic =
        /^(?:I )?(?:(?:will )?use )?(\p{Lu}.{1,30}?) (?:for|as) (?:the |our |my )?([\p{Ll} -]{3,30})$/u
          .exec(
            m[1]!,
          );
      return topic ? tooled(topic[1]!, topic[2]) : claim("decision", value(m[1]!));
    },
    type: "decision",
  },
];

/** Returns the claims of a decision. If it's for a product, that is in use as well. */
function tooled(choice: string, topic: string | undefined): Draft[] {
  const made = decision(choice, topic);
  const attribute = made[0] ? toolAttribute(made[0].value) : null;
  return attribute && /^(?:database|framework|programming_language)$/.test(attribute)
    ? [...made, ...claim(attribute, made[0]!.value)]
    : made;
}
