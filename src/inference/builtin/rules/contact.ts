/** Time zone and ways to reach the speaker. */
import { claim, type Draft, type Rule } from "./rule.ts";
import { lines } from "../lexicon/lines.ts";

const EMAIL = /(?<![@\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/u;
const PHONE = /(?:\+|00)?\(?\d[\d ().\/-]{5,}\d/;
const SITE =
  /\b(?:https?:\/\/[^\s,]+|(?:www\.)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:com|org|net|io|dev|me|app|co|eu|blog|info|page|site|studio|shop|design|art|online|cloud|tech|xyz|example|[a-z]{2})(?:\/[^\s,]*)?)(?![\w@])/iu;
const email = (text: string): Draft[] => claim("email", EMAIL.exec(text)?.[0]);
const phone = (text: string): Draft[] =>
  claim("phone", PHONE.exec(text.replace(EMAIL, ""))?.[0].trim());
const site = (text: string): Draft[] =>
  claim("website", SITE.exec(text.replace(EMAIL, ""))?.[0].replace(/[.]+$/, ""));
const contact = (text: string): Draft[] =>
  email(text).length ? [...email(text), ...phone(text)] : phone(text);

const ZONE = lines`
  (?:UTC|GMT)(?:\s?[+-]\s?\d{1,2}(?::\d{2})?)?|(?:Africa|America|Antarctica|Arctic|Asia|
  Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Z][A-Za-z_]+(?:\/[A-Z]\w+)?|(?:CES?T|
  EES?T|WES?T|E[SD]?T|C[SD]T|M[SD]T|P[SD]?T|BST|IST|JST|KST|AE[SD]T|AC[SD]T|AWST|NZ[SD]T|
  SGT|HKT|BRT|ART|MSK|EAT|WAT|SAST|CAT|PKT|AK[SD]T|HST)|(?:(?:Central|Eastern|Western|
  Pacific|Mountain|Atlantic|Greenwich|Indian|Japan|Korea|China|Australian|New Zealand|
  Moscow|Hawaii|Alaska|British|Irish|Singapore|Israel|East Africa|West Africa|
  Central Africa|South Africa|Gulf|Arabian|Brasilia|Brasília|Argentina) ?(?:European|
  Eastern|Central|Western|African|Mean|Standard|Summer|Daylight|
  Australian)? ?(?:Standard |Daylight |Summer )?[Tt]ime)
`;

/** "You can reach my wife at …": another person's contact details. */
const OF_ANOTHER =
  /^[\p{L}-]+(?: to| hold of)? (?:him|her|them|us|(?:my|the|our) (?!(?:new|work|personal|private|mobile|cell|phone|landline|home|e-?mail|gmail|inbox|address|number|\p{Lu}{2,3} (?:mobile|phone|number))\b)\p{L}|\p{Lu}\p{Ll}+ (?:at|on|under|via)\b)/u;

/** Rules of this group. */
export const CONTACT: readonly Rule[] = [
  {
    example: "My timezone is CET.",
    counterexample: "My daughter is 6 and my son is 9.",
    when: new RegExp(
      `^my (?:local )?time ?zone is (?:now |currently )?(?:set to )?(?:the )?(.+?)(?: time ?zone| at the moment|, .*)?$`,
      "i",
    ),
    then: (m) => claim("timezone", m[1]?.replace(/[.]+$/, "").replace(/ \(.*$/, "")),
  },
  {
    example: "I'm in the CET timezone.",
    counterexample: "I'm in the middle of something.",
    when: new RegExp(
      `^I (?:am|live|work|operate|run|keep)(?: \\w+)? (?:in|on|at)(?: the)? (.{2,30}?) (?:time ?zone|hours)`,
      "i",
    ),
    then: (m) => claim("timezone", m[1]?.replace(/^(?:the|a) /, "")),
  },
  {
    example: "I'm on CET.",
    counterexample: "I'm on the train.",
    when: new RegExp(
      `^(?:I (?:am|live|work|operate)(?: \\w+)?(?: (?:in|on|at)(?: the)?)?|my clock is (?:on|set to)|all times are in|I use) (${ZONE})(?=$|[ ,.])`,
    ),
    then: (m) => claim("timezone", m[1]),
  },
  {
    example: "My wife's email is kim@example.net.",
    counterexample: "My wife's job at Shell is boring.",
    when:
      /^my (?:(?:new|current|main|work|personal|private|primary|business|school|best|old|updated) )*(?:e-?mail|mail|email address|e-mail address|mail address|gmail)(?: address)?(?: for \w+| has changed to| changed to| is now| at work)? ?(?:is|:|now|=|to)? ?(.+)/i,
    then: (m) => /\bold\b/.test(m[0].slice(0, 14)) ? [] : email(m[1]!),
  },
  {
    example: "My cell is 555-0166.",
    counterexample: "My phone is dead.",
    when:
      /^(?:I (?:also )?(?:got|have|have got|changed to) an? (?:new )?)?(?:my )?(?:(?:new|current|main|work|personal|private|mobile|cell|home|office|direct|best) )*(?:phone(?: number)?|number|mobile(?: number)?|cell(?: ?phone)?(?: number)?|telephone(?: number)?|landline|whatsapp(?: number)?)(?: has changed to| changed to| is now)? ?(?:is|:|=|to)?:? ?(.*\d.*)/i,
    then: (m) => phone(m[1]!),
  },
  {
    example: "Reach me at +1 555 0123.",
    when:
      /\b(?:(?:reach|contact|call|text|phone|ring|email|mail|message|write|write to|get hold of|drop|ping|find|send)(?: me| an email| a line| a text)?(?: (?:a line|a note|an email|a text|a message|anything|it|to me|emails|mail|stuff|them))*(?: (?:via|by) (?:e-?mail|phone|text))?(?: (?:at|on|under|via|to|by|using|through))?):? (.+)/i,
    then: (m) => OF_ANOTHER.test(m[0]) ? [] : contact(m[1]!),
    text: (m) =>
      `I can be reached at ${EMAIL.exec(m[1]!)?.[0] ?? PHONE.exec(m[1]!)?.[0]?.trim() ?? m[1]}`,
  },
  {
    example: "My site is ink.example.",
    counterexample: "My daughter is 6 and my son is 9.",
    when:
      /^(?:my )?(?:(?:personal|own|new|company|portfolio) )*(?:web ?site|homepage|home page|blog|portfolio|site|web page|webpage|page)(?: address| url)? (?:is|lives|can be found|is (?:hosted|up|online)|moved)(?: (?:at|on|to|now|under|called))* (.+)/i,
    then: (m) => site(m[1]!),
  },
  {
    example: "I blog at notes.kimura.example.",
    counterexample: "I dreamed I worked at NASA.",
    when:
      /^I (?:blog|write|run a blog|have a (?:blog|website|site|homepage)|publish|host my (?:site|blog)|keep a blog|run (?:the|a|my) (?:website|site))(?: \w+)? (?:at|on|under|called) (.+)/i,
    then: (m) => site(m[1]!),
  },
  {
    example: "My Twitter handle is @oakleaf.",
    counterexample: "My daughter is 6 and my son is 9.",
    when:
      /^(?:my )?(?:(\p{L}[\p{L}.]*) )?(?:handle|user ?name|nick|account|tag|gamertag|screen name|profile|id)(?: on (\p{L}[\p{L}. ]*?))? (?:is|:) (?:called )?(@?[\p{L}\p{N}._-]{2,40})/iu,
    then: (m) =>
      /^(?:bank|old|not|the|a|very|private|public|on)$/i.test(m[1] ?? "") ||
        /^(?:not|private|public|the|a|locked|very|gone)$/i.test(m[3]!)
        ? []
        : claim("handle", m[3]!.replace(/[.]+$/, "")),
  },
  {
    example: "My Discord is pinecone_77.",
    counterexample: "My daughter is 6 and my son is 9.",
    when:
      /^my (?:GitHub|GitLab|Twitter|Instagram|Mastodon|Bluesky|Discord|Reddit|Steam|Telegram|TikTok|Twitch|Skype|Signal|Codeberg)(?: (?:name|id))? is (@?[\p{L}\p{N}._#-]{3,40})$/iu,
    then: (m) =>
      /^(?:private|public|down|broken|gone|full|locked)$/i.test(m[1]!) ? [] : claim("handle", m[1]),
  },
  {
    example: "I'm @nightjar on Bluesky.",
    counterexample: "I'm on the train.",
    when: /^I am (@[\p{L}\p{N}._-]{2,40})(?: on .+)?$/u,
    then: (m) => claim("handle", m[1]),
  },
  {
    example: "You'll find me on Mastodon as @petra@social.example.",
    when:
      /\b(?:find|follow|add|tag|dm|catch) me (?:on|at|over on|over at) (?:\p{L}+ )?(?:as |at |under |@ |with )?(@[\p{L}\p{N}._-]{2,40}(?:@[\p{L}\p{N}.-]+)?|(?<=(?:as|under) )[\p{L}\p{N}._-]{3,40})/iu,
    then: (m) => claim("handle", m[1]),
    text: (m) => `my handle is ${m[1]}`,
  },
];
