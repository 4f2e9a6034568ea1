/** Homes, former homes and origins. */
import { toolAttribute } from "../lexicon/tools.ts";
import { isKnownPlace } from "../lexicon/places.ts";
import { place, value } from "../values.ts";
import { claim, type Draft, type Rule } from "./rule.ts";
import { pattern } from "../lexicon/lines.ts";

const NOWHERE = pattern("i")`
  ^(?:fear|hope|peace|harmony|sin|denial|chaos|it|this|that|here|there|general|fact|
  person|a (?:world|bubble|dream|lie|time|way|society)|the (?:moment|past|present|future|
  city|country|countryside|suburbs|area|middle|same|clouds|woods|mountains|north|south|
  east|west)|my (?:own|parents|head|car|pajamas)|an? (?:house|apartment|flat|small|big|
  tiny|old|new|shared|quiet|rented|nice)|different|several|many|two|three|bed|town|shape|
  touch|love)\b
`;

/** Returns a place that can be a home: a name, or a lower-case word that isn't a state of mind. */
function home(text: string): string | null {
  const where = place(text);
  // "221 Hawthorn Road" is an address, not a town.
  if (
    !where || /^\d|(?:^|\s)I(?:\s|$)/.test(where) || (NOWHERE.test(where) && !/\p{Lu}/u.test(where))
  ) return null;
  if (/^(?:with|alone|by|on|off|for|like|without|together|there|here|a|an)\b/i.test(where)) {
    return null;
  }
  if (/time ?zone/i.test(where) || toolAttribute(where) !== null) return null;
  if (!/\p{Lu}/u.test(where) && !isKnownPlace(where)) return null;
  return where.split(/\s+/).length > 6 ? null : where;
}
/** Returns a place of origin, which isn't a season, year or decade. */
const origin = (text: string): string | null => {
  const where = place(text);
  if (!/\p{Lu}/u.test(where.replace(/\bI\b/g, "")) && !isKnownPlace(where)) return null;
  return /^(?:(?:early|late|mid|spring|summer|autumn|fall|winter|middle|year|\d+s?)\b)/i.test(where)
    ? null
    : where;
};
const lives = (text: string): Draft[] => claim("lives_in", home(text));

/** Rules of this group. */
export const HOME: readonly Rule[] = [
  {
    example: "My address is 8 Mill Lane, Bath.",
    counterexample: "My address is confidential.",
    when: /^my (?:(?!e-?mail|mail |ip |mac |web|wallet)\p{Ll}+ )*address is (.+)/iu,
    then: (m) =>
      claim(
        "address",
        m[1]!.replace(/(?:,? (?:by the way|now|if).*)$/i, "").replace(/[.\s]+$/, ""),
      ),
  },
  {
    example: "I LIVE IN LUND",
    counterexample: "I live in Porto. I used to.",
    when:
      /^(?!.*\b(?:used to|until|till)\b)I (?:have )?lived? (?:(?:alone|together|happily|all my life|my (?:whole|entire) life|with [^,]*?|permanently|abroad|year-round|full-time|down|up|over|out|close to|next to [^,]*?) )?(?:just )?(?:in|on|outside|near|at|around|by|above|below|over|opposite|behind) (.+)/i,
    then: (m, a) =>
      /^I lived /.test(m[0])
        ? claim("lived_in", home(m[1]!))
        : /\bhave lived (?:all over|everywhere|in (?:many|several|\w+ (?:countries|cities)))|\bhave lived in .* (?:and|,) .*(?:before|over the years)/i
            .test(a.said)
        ? []
        : /\bhave lived\b/.test(m[0]) &&
            !/\b(?:since|for|all my life|always|my (?:whole|entire) life|now)\b/i.test(a.said)
        ? claim("lived_in", home(m[1]!))
        : lives(m[1]!),
  },
  {
    example: "I used to live in Canberra.",
    counterexample: "I used to do karate.",
    when:
      /^I (?:used to|once) live (?:(?:with|alone|together) [^,]*?)?(?:in|near|outside|on) (.+)/i,
    then: (m) => claim("lived_in", home(m[1]!)),
  },
  {
    example: "We relocated from Athens to Lyon in 2022.",
    counterexample: "We went to Crete in October 2024.",
    when:
      /^I moved (?:back |over |here |out |down |up |away |house |home |all the way )*from (.+?) (?:back )?to (.+)/i,
    then: (m) => [...lives(m[2]!), ...claim("lived_in", home(m[1]!))],
  },
  {
    example: "I've since relocated to Maputo.",
    counterexample: "I've moved to a bigger flat.",
    when:
      /^I moved (?:here |away |out )*(?:to|into) (?!a (?:new|bigger|smaller|different) )(.+?)(?: from (\p{Lu}.+))?$/u,
    then: (
      m,
    ) => [
      ...lives(m[1]!.replace(/ from \p{Lu}.*$/u, "")),
      ...(m[2] ? claim("lived_in", home(m[2])) : []),
    ],
  },
  {
    example: "I moved here from Toronto last year.",
    counterexample: "I moved away from meat.",
    when:
      /^I (?:have )?(?:just )?(?:moved|relocated) (?:over |out |up |down |all the way )*(?:here |over )(?:to \p{L}+ )?from (?:the )?(\p{Lu}.+)/u,
    then: (m) => claim("lived_in", home(m[1]!)),
  },
  {
    example: "we ended up in Perpignan, long story involving a van",
    counterexample: "We ended up going with Mailgun for email.",
    when:
      /^I (?:have )?(?:settled|settled down|ended up|put down roots|found my home|made my home|started a new life|started living) (?:down )?in (?!this\b|that\b|an?\b|some\b)(.+)/i,
    then: (m) => lives(m[1]!),
  },
  {
    example: "I was born in Osaka.",
    counterexample: "I was born in a hospital.",
    when:
      /^I was born (?:and (?:raised|bred|grew up) )?(?:in|near|at) (?!(?:(?:19|20)|')\d{2})(?!(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\w* ?\d)(.+?)(?: (?:and|but) (?:was )?(?:raised|brought up|grew up|bred) in (.+))?$/i,
    then: (m) => claim("from", origin(m[2] ?? m[1]!)),
  },
  {
    example: "I'm a Glasgow native.",
    counterexample: "I'm a Virgo.",
    when:
      /^I am (?:an? )?(\p{Lu}\p{L}+) (?:native|born and (?:bred|raised)|(?:girl|boy|lad|lass|kid)(?: originally)?$)/u,
    then: (m) => {
      const city = m[1]!.replace(/(?:er|ite)$/, "");
      if (isKnownPlace(city)) return claim("from", city);
      return /(?:girl|boy|lad|lass|kid)\b|er\b/.test(m[0]) ? [] : claim("from", value(m[1]!));
    },
  },
  {
    example: "I was raised in Tasmania.",
    counterexample: "I was born in a hospital.",
    when:
      /^I (?:grew|am growing) up (?:mostly |mainly )?(?!on [^,]*\b(?:films?|books?|music|songs?|stories|tales|cartoons|games|records|tv|food|shows|movies|comics)\b)(?:in|on|near|outside|around) (.+)/i,
    then: (m) => claim("from", origin(m[1]!)),
  },
];
