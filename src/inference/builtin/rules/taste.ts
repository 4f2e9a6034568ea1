/** Likes, dislikes, favourites and preferences. */
import { toolAttribute } from "../lexicon/tools.ts";
import { gerund } from "../lexicon/verbs.ts";
import { list, titled, value } from "../values.ts";
import { claim, claims, EMPTY, type Rule } from "./rule.ts";

const WISH =
  /^(?:to (?:hate|annoy|pretend|ask|bother|admit|interrupt|break|disappoint|complain|brag|think|see|be|become|have|own|go|see|visit|learn|know|hear|try|get|find|move|travel|meet|work|live)|when|where|who|why|how|that|if|what|for|your|you|being (?:here|back|home)|it|this|working here|the (?:idea|way|look|photo|picture|sound of (?:it|that))|more|seeing you|hearing|talking|so)\b/i;
const things = (said: string): readonly string[] => {
  const text = said.replace(/^to (?:just|also|always|really|simply) /i, "to ");
  const kind =
    /^(?:people|places|books|films|movies|shows|songs|games|those|anyone|days|restaurants) (?:who|that|with|where|without|which) [^,;]{2,50}/i
      .exec(text);
  if (kind) return [value(kind[0]).length > 12 ? value(kind[0]) : kind[0]];
  const bare = text.replace(/^(?:all|everything about|anything|most|both) /i, "")
    .replace(/ (?:more|most|best|better)$/, "");
  if (
    WISH.test(bare) &&
    !/^to (?:cook|bake|read|paint|swim|dance|sing|run|hike|draw|write|sew|knit|garden|ski|travel|play|cycle|surf|climb|fish|camp|sail|ride|sleep|eat|drink|listen|watch)\b/i
      .test(text)
  ) return [];
  const verb = /^to (\p{Ll}+)\b/u.exec(text)?.[1];
  if (/^(?:huge|big|massive|great|real)$/i.test(bare)) return [];
  const named = verb ? bare.replace(/^to \p{Ll}+/u, gerund(verb)) : bare;
  return list(named.replace(/^to /i, "").replace(/^my (?=\p{Ll}+'s \p{Ll})/u, "")).filter((one) =>
    !EMPTY.test(one) &&
    !/^(?:he|she|you|him|her|them|my (?:wife|husband|kids|family|mum|mom|dad|job))$/i.test(one)
  );
};

/**
 * Returns `favorite_X` for the words after "my favourite": in the singular, lower case and US
 * spelling.
 */
export function favorite(head: string): string {
  const words = head.toLowerCase().replace(
    /\b(?:of all time|of the (?:week|month)|ever|in the world|right now|to (?:eat|drink|watch|read|play|cook(?: with)?|bake|listen to|wear|use|visit)|(?:at|in) school|at the moment|these days|so far|though)\b.*$/,
    "",
  )
    .replace(/colour/g, "color").replace(/flavour/g, "flavor").replace(/theatre/g, "theater")
    .replace(/\b(?:kind|type|sort|piece|form|style) of /, "").replace(/[^\p{L}\p{N} -]/gu, "")
    .trim().split(/[\s-]+/);
  const last = words.pop() ?? "";
  const one = /(?:ss|us|is|series|species|news)$/.test(last)
    ? last
    : last.replace(/ies$/, (m) =>
      last === "movies" || last === "cookies" || last === "smoothies"
        ? "ie"
        : m.slice(0, 0) + "y").replace(/(sh|ch|x)es$/, "$1").replace(/([^s])s$/, "$1");
  return `favorite_${[...words, one].filter(Boolean).join("_")}`.slice(0, 60);
}
const FAVORITE =
  "(?:(?:absolute|all[- ]time|current|personal|new|big|number one|one true|very|single|second|own|least|next) )*(?:favou?rite|fave|fav|go-to|top|no\\.? ?1|number one)";

/** "My favourite band's drummer": a member of it, unlike "my favourite children's book". */
const OF_IT =
  /(?<!\b(?:child(?:ren)?|kid|m[ae]n|wom[ae]n|people|boy|girl|bab(?:y|ie)|lad(?:y|ie)|driver|shepherd))'s /i;

/** "My favourite film is Paris, Texas": a title, or a town, with a comma of its own. */
const WITH_COMMA =
  /^(?:\p{Ll}+ )?(?:movie|film|book|novel|album|song|band|show|series|city|town|place) \p{Lu}[^,.;]{1,30}, \p{Lu}[\p{L}' -]{1,30}$/u;

/** "As a child I loved dinosaurs": a taste of the past. */
const THEN =
  /\b(?:as an? (?:\p{Ll}+ )?(?:child|kid|boy|girl|teen\p{Ll}*|student|toddler)|when I was|back then|in those days|in my (?:childhood|youth|teens))\b/u;
/** … unless it has lasted ("I have always loved trains, even when I was little"). */
const WAS_TASTE =
  /(?<!\b(?:have|has) (?:\p{L}+ ){0,2})\b(?:loved|liked|enjoyed|adored|hated|disliked|detested)\b/u;
const isOfThen = (said: string): boolean => THEN.test(said) && WAS_TASTE.test(said);

/** Rules of this group. */
export const TASTE: readonly Rule[] = [
  {
    example: "Fave band? Radiohead.",
    when: new RegExp(
      `^my ${FAVORITE} ([\\p{L}][\\p{L}\\p{N}' -]*?)(?: (?:of all time|ever|these days|right now|at the moment|in the (?:whole )?world|by far|currently|now|to \\p{Ll}+(?: (?:with|to|at|in))?)){0,4} (?:is|are|has to be|must be|would be|will (?:always )?be|has (?:always )?been|is probably|is definitely|remains|would have to be|used to be|was|became|has become|:)(?: (?:now|still|definitely|probably|actually|without (?:a )?doubt|by far|currently|always|of course|easily|called|either))*:? (.+)`,
      "iu",
    ),
    then: (m) =>
      /^(?:things?|of|part)\b/i.test(m[1]!) || OF_IT.test(m[1]!) ||
        / (?:in|about|from|of|at|on) \p{Lu}/u.test(m[1]!) ||
        /least|used to be|\bwas\b(?<! (?:at|in) school was)/.test(
          m[0].slice(0, m[0].length - m[2]!.length).trimEnd(),
        )
        ? []
        // "My go-to language": in use, but not necessarily liked.
        : /^my (?:go-to|top)\b/i.test(m[0]) && toolAttribute(value(m[2]!)) !== null
        ? []
        : claim(
          favorite(m[1]!),
          WITH_COMMA.test(`${m[1]} ${m[2]}`) ? m[2]! : titled(m[2]!.replace(/^(?:by|from) /, "")),
        ),
  },
  {
    example: "Chess is my favorite game.",
    counterexample: "My kids' favourite game is Ludo.",
    when: new RegExp(
      `^(?:of all (?:the )?(?:(?:\\p{L}+ )?(\\p{L}+)),? )?(.{2,60}?) (?:is|are|(?:has|have)(?: always)? been|was always|will always be|remains|have always been|became|has become|has to be|must be)(?: (?:definitely|by far|still|always|easily|probably|now|currently|also|hands down|without a doubt))* my ${FAVORITE}(?: ([\\p{L}][\\p{L} '-]*?))?(?:$|,| of all| ever| to | because| these| right now| in the| -| and| by far)`,
      "iu",
    ),
    then: (m) =>
      /^(?:it|this|that|he|she|which|what|who|they)$/i.test(m[2]!) || /\bleast\b/.test(m[0])
        ? []
        : m[3] && !/^(?:one|ones|thing)$/i.test(m[3])
        ? claim(favorite(m[3]), titled(m[2]!))
        : m[1]
        ? claim(favorite(m[1]), titled(m[2]!))
        : [],
  },
  {
    example: "I prefer cats to dogs.",
    counterexample: "I prefer not to say.",
    when:
      /^I (?:(?:really|much|strongly|generally|usually|always|would|definitely|still|also|tend to) )*(?:prefer|favou?r)(?: to (?:have|get|use|be|receive|work (?:with|in)|see))? (?!to be called|being called|the name|if\b|not\b|when\b|that\b)(?:having |getting |using |receiving )?(.+?)(?: (?:to|over|rather than|instead of|than|above|versus|vs\.?|more than|and not|, not)\b.*)?$/i,
    then: (m) =>
      claims(
        "prefers",
        m[1] && / and /.test(m[1]) ? list(m[1]) : [value(m[1]!.replace(/^to /, ""))],
      ),
  },
  {
    example: "I'd rather have tea.",
    counterexample: "I'd rather not talk about politics.",
    when:
      /^I (?:would (?:much |really |definitely |always )*(?:rather|sooner)|would prefer (?:to )?)(?: (?:get|have|use|be|receive|take|go for|go with))? (?!not\b|you\b|be called)(.+?)(?: (?:than|over|instead of|rather than|to)\b.*)?$/i,
    then: (m) => claim("prefers", value(m[1]!)),
  },
  {
    example: "I like tea better than coffee.",
    counterexample: "I like neither tea nor coffee.",
    when:
      /^I (?:like|love|enjoy) (.+?) (?:more|better|much more|much better|way more|way better) than (.+)/i,
    then: (m) => claim("prefers", value(m[1]!)),
  },
  {
    example: "My preference is async communication",
    counterexample: "My daughter is 6 and my son is 9.",
    when:
      /^my (?:(?:personal|strong|general|clear) )?preference (?:is|would be)(?: for)? (?:to (?:use|have) )?(.+?)(?: (?:over|to|rather than|instead of) .*)?$/i,
    then: (m) => claim("prefers", value(m[1]!)),
  },
  {
    example: "I stick to a low-carb diet.",
    counterexample: "I was talking to a friend who's vegan.",
    when:
      /^I (?:stick to|always go for|usually go for|tend to go for|opt for|always choose) (?!it\b|my\b|this\b|that\b|the\b)(.+)/i,
    then: (m) => claim("prefers", value(m[1]!)),
  },
  {
    example: "I hate Jira.",
    counterexample: "I hate it when people chew loudly.",
    when: /^I (?:dislike|hate) (.+)/i,
    // "I hate driving at night" isn't a dislike of driving.
    then: (m, a) =>
      isOfThen(a.said) ? [] : claims(
        "dislikes",
        /^\p{L}+ing(?: \p{Ll}+){0,2} at night$/iu.test(m[1]!) ? [m[1]!] : things(m[1]!),
      ),
  },
  {
    example: "I like neither tea nor coffee.",
    counterexample: "I like tea better than coffee.",
    when: /^I (?:like|love|enjoy) neither (.+?) nor (.+)/i,
    then: (m) => claims("dislikes", [...things(m[1]!), ...things(m[2]!)]),
  },
  {
    example: "I love to dance.",
    counterexample: "I love to hate this show.",
    when: /^I (?:like|love) (?!neither\b)(?!.* (?:more|better) than )(.+)/i,
    then: (m, a) => isOfThen(a.said) ? [] : claims("likes", things(m[1]!)),
  },
  {
    example: "I'm into mycology lately.",
    counterexample: "I'm not into sports.",
    when: /^I am into (?!it\b|that\b|this\b|you\b)(.+)/i,
    then: (m) => claims("likes", things(m[1]!)),
  },
];
