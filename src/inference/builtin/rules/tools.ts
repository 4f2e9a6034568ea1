/** Software and services in use. Lists of products decide which attribute they have. */
import { isQuality } from "../lexicon/qualities.ts";
import { toolAttribute } from "../lexicon/tools.ts";
import { isMedicine } from "../lexicon/health.ts";
import { LANGUAGES } from "../lexicon/culture.ts";
import { list, value } from "../values.ts";
import { claim, claims, type Draft, EMPTY, ends, type Rule } from "./rule.ts";
import { pattern } from "../lexicon/lines.ts";

const tidy = (one: string) =>
  one.replace(/^(?:mostly|only|just|both|primarily|plain|vanilla|mainly) /i, "").replace(
    / (?:for|on|as|in|with|at|to) .*$/i,
    "",
  ).replace(/ (?:editor|browser|shell|database|framework|programming language)$/i, "")
    .replace(/ \p{Ll}{3,}ly$/u, "");

/** Returns claims of the products in a captured text. `known` drops those that aren't in a list. */
export function products(text: string, known: boolean, fallback = "uses"): Draft[] {
  return list(text.replace(/^(?:mostly|only|just|both|primarily|a combination of|a mix of) /i, ""))
    .flatMap((part) => {
      const pieces = part.split(
        / (?:with|on top of|backed by|plus|alongside|and|running on|over|behind|via) /i,
      );
      const on = / on ((?:\p{L}+ )?\S+)$/u.exec(part);
      if (on && toolAttribute(on[1]!) === "os") pieces.push(on[1]!);
      return pieces.flatMap((piece): Draft[] => {
        const one = value(tidy(piece));
        if (!one || EMPTY.test(one)) return [];
        const attribute = toolAttribute(one);
        if (attribute) return claim(attribute, one);
        return known || isMedicine(one) || LANGUAGES.has(one.toLowerCase()) ||
            !/^\p{Lu}|\d/u.test(one)
          ? []
          : claim(fallback, one);
      });
    });
}
const only = (attribute: string, text: string): Draft[] =>
  claims(
    attribute,
    (attribute === "programming_language" || attribute === "database" || attribute === "framework"
      ? list(text)
      : [value(text)]).map((one) => value(tidy(one))).filter((one) => !EMPTY.test(one)),
  );

const KIND =
  "(?:text |code |web |main |primary |default |favou?rite )*(editor|ide|os|operating system|browser|shell|terminal shell|programming language|language|framework|database|db|distro|linux distro|search engine|note-taking app|password manager|email client|terminal|task manager|package manager|window manager|keyboard|calendar app|phone os)";
/**
 * Activities with software. A capitalized word after "in" or "with" is then a product, not a place
 * or person.
 */
const DIGITAL =
  "spending|photos|pictures|videos|notes|to-?dos?|tasks|invoices|invoicing|budget|budgeting|accounting|accounts|bookkeeping|passwords|spreadsheets|slides|presentations|diagrams|designs?|mock-?ups|calendar|emails?|blog|websites?|podcasts|finances|expenses|bookmarks|documents|drafts|screenplays|sheet music|tickets|bugs|time";
const KINDS: Readonly<Record<string, string>> = {
  editor: "editor",
  ide: "editor",
  os: "os",
  "operating system": "os",
  distro: "os",
  "linux distro": "os",
  browser: "browser",
  shell: "shell",
  "terminal shell": "shell",
  "programming language": "programming_language",
  language: "programming_language",
  framework: "framework",
  database: "database",
  db: "database",
  "phone os": "os",
};
/** "My shell is outdated", "my system is out of date": a quality, not a product. */
const HOW_IT_IS = /^(?:\p{L}+ \p{Ll}|\p{L}{3,}(?:ed|ing|est)$)/u;
const isNamed = (one: string): boolean =>
  /^\p{Lu}|\d/u.test(one) || toolAttribute(one) !== null ||
  !HOW_IT_IS.test(one) && !isQuality(one);
const kind = (word: string) => KINDS[word.toLowerCase()] ?? "uses";
const byKind = (word: string, text: string, preferred = false): Draft[] => {
  const attribute = kind(word);
  const one = value(tidy(text));
  if (attribute === "programming_language" && toolAttribute(one) !== attribute && !preferred) {
    return [];
  }
  return only(attribute, text).filter((draft) => isNamed(draft.value));
};

/** Rules of this group. */
export const TOOLS: readonly Rule[] = [
  {
    example: "My editor is neovim.",
    counterexample: "My daughter is 6 and my son is 9.",
    when: new RegExp(
      `^(?:my|the) (?:(?:current|daily|preferred|go-to|usual|work|chosen|new|personal) )*${KIND}(?: of choice| I use| at work| at home| these days| for \\w+)* (?:is|are|has to be|will always be|has always been|remains|happens to be|runs|=|:)(?: (?:still|now|currently|always|definitely))? (.+)`,
      "i",
    ),
    then: (m) => byKind(m[1]!, m[2]!),
  },
  {
    example: "I moved from Chrome to Firefox.",
    counterexample: "I moved to Oslo but I moved back.",
    when:
      /^I (?:have )?(?:(?:finally|recently|just) )?(?:switched|moved|migrated|changed|converted|went|ported|transitioned)(?: \w+| (?:my|all my|everything)(?: \w+){0,3})? from (.+?) (?:over )?to (.+)/i,
    then: (m) => {
      const to = products(m[2]!, true), from = products(m[1]!, true);
      const out = to.length ? to : from.length ? products(m[2]!, false, from[0]!.attribute) : [];
      return [
        ...out,
        ...from.filter((one) =>
          one.attribute === "uses" || /programming_language|framework|database/.test(one.attribute)
        ).flatMap((one) => ends(one.attribute, one.value)),
      ];
    },
  },
  {
    example: "I switched to Neovim.",
    counterexample: "I switched from Chrome to Firefox.",
    when:
      /^I (?:have )?(?:(?:finally|recently|just) )?(?:switched|moved|migrated|changed|converted|went back|upgraded|ported (?:everything|it all)|jumped|transitioned)(?: (?:everything|over|my \w+|back|all|fully|completely))* (?:to|onto|over to) (.+?)(?: from (.+))?$/i,
    then: (m) => [...products(m[1]!, true)],
  },
  {
    example: "I code mainly in Elixir.",
    counterexample: "I don't know Rust.",
    when: pattern("i")`
      ^I (?:am )?(?:mostly |mainly |primarily )?(?:write code|write (?:most|
      all) (?:of )?my (?:code|scripts)|write|code|program|develop software|develop|build|
      script|work|hack|do (?:most of |all of |all |the bulk of )?my (?:programming|coding|
      development|work|scripting)|spend my days (?:writing|coding|programming)|am coding|
      am writing|coding|programming)(?: (?:mostly|mainly|primarily|software|code|apps|
      everything|backends?|frontends?|exclusively|almost exclusively|a lot|for a living|stuff|
      all day|websites?|web apps))*(?: in| using| with)? (?!to\b|from\b|at\b|as\b|for\b|on\b|
      a\b)(.+)
    `,
    then: (m) => products(m[1]!, true),
  },
  {
    example: "I use Vim.",
    counterexample: "I use my hands a lot.",
    when: pattern("i")`
      ^I (?:am )?(?:run on|running on|use|using|run on|run|running on|running|am on|on|
      work with|working with|work on|rely on|relying on|depend on|build with|building with|
      deploy with|develop on|live in|swear by|stick (?:to|with)|go with|edit in|type in|
      browse with|surf with|boot|host (?:everything|it) on|store (?:everything|(?:my|all|the|
      our) \w+(?: \w+)?|data) in|keep (?:everything|my \w+|all my \w+) in|
      manage my \w+ (?:with|in)|take notes (?:in|with)|track (?:my |all my )?\w+ (?:in|with|
      on|using)|have been using|was using|do (?:everything|most things|all my \w+|
      most of my \w+|my \w+)(?: work| writing)? (?:in|with|on)|daily drive|
      am running) (?!to\b|it\b|this\b|that\b|you\b|my (?:own|car|bike|phone to)\b|me\b|
      a (?:small |local )?(?:bakery|business|company|shop|restaurant|café|cafe)\b)(.+)
    `,
    then: (m) =>
      /^I (?:am )?(?:on|run\p{Ll}*|work(?:ing)? (?:with|on)) |live in/u.test(m[0])
        ? products(m[1]!, true)
        : products(m[1]!, false),
  },
  {
    example: "My phone runs GrapheneOS.",
    counterexample: "My phone is dead.",
    when:
      /^(?:my|the|all (?:of )?my|both (?:of )?my|every one of my) (?:[\p{L}-]+ )*?(?:laptops?|machines?|desktops?|computers?|pcs?|servers?|workstations?|phones?|macbook|thinkpad|home server|box|rig)(?: at \w+)? (?:am |is |are |now |all |currently |still )*(?:run|runs|running|on|use|uses|boot|boots)(?: (?:on|with|into))? (.+)/iu,
    then: (m) => products(m[1]!, true),
  },
  {
    example: "Our CI runs on GitLab.",
    counterexample: "Our anniversary is on 9 July.",
    when: pattern("iu")`
      ^(?:my|the) (?:[\p{L}-]+ )?(?:tech )?(?:stack|setup|CI|pipelines?|builds?|backend|
      frontend|back-end|front-end|toolchain|infrastructure|architecture|app|api|site|website|
      web ?app|product|codebase|project|service|platform|system|data|data layer|
      persistence layer|code|server)(?: at work)?(?: (?:am|is|are|was|mostly|mainly|all|now|
      currently|entirely|still|run|runs|running|built|based|written|made(?: up)?|powered|
      consists?|use|uses|using|relies?|stored|lives?|hosted|backed|implemented|coded|on|with|in|
      of|by|around|on top of))+ (?!down\b|not\b|broken\b|slow\b)(.+)
    `,
    then: (m) => products(m[1]!, !/^(?:my|the) (?:[\p{L}-]+ )?(?:stack|toolchain)\b/u.test(m[0])),
  },
  {
    example: "I design everything in Figma.",
    counterexample: "I LIVE IN LUND",
    when:
      /^I (?:build|develop|deploy|host|store|write|design|test|manage|edit|ship|make|keep|run) (?!into |out |away )(?:all |most of )?(?:my |the |everything|things|\p{Ll}+)(?: ?\p{Ll}+){0,3} (?:with|in|on|using) (.+)/u,
    then: (m) => products(m[1]!, true),
  },
  {
    example: "I edit photos with Darktable.",
    counterexample: "I work with Anna.",
    when: new RegExp(
      `^I (?:keep track of|keep on top of|\\p{Ll}+) (?:(?:all|most) )?(?:of )?(?:my |the )?(?:\\p{Ll}+ )?(?:${DIGITAL}) (?:with|in|using|via) (\\p{Lu}.*)`,
      "u",
    ),
    then: (m) =>
      products(m[1]!, false).map((draft) =>
        draft.attribute === "editor" ? { ...draft, attribute: "uses" } : draft
      ),
  },
  {
    example: "firefox is what i use because the fox is nice so where are the saved passwords kept",
    when:
      /^(.{2,40}?) (?:is|are) (?:what I (?:use|code in|write|program in|work with|run)|the (?:tool|app|program|service|stack) I use)/i,
    then: (m) => products(m[1]!, false),
  },
];
