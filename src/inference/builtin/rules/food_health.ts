/** Diets, allergies, things avoided, conditions and medication. */
import { DIETS } from "../lexicon/culture.ts";
import { isCondition, isMedicine } from "../lexicon/health.ts";
import { list, value } from "../values.ts";
import { claim, claims, type Draft, EMPTY, type Rule } from "./rule.ts";
import { pattern } from "../lexicon/lines.ts";

const DIET = new RegExp(
  `^(?:strictly |mostly |fully |only |strict |completely |an? |the )*(${DIETS})(?=$|[ ,.])`,
  "i",
);
const diet = (text: string): Draft[] => {
  const m = DIET.exec(text.trim());
  return m
    ? claim(
      "diet",
      m[1]!.toLowerCase().replace(/^gluten free/, "gluten-free").replace(/ diet$/, ""),
    )
    : [];
};
const substances = (text: string): Draft[] =>
  claims(
    "allergic_to",
    list(text).map((one) =>
      one.replace(/^(?:most|some|many|certain|all|any) /i, "").replace(
        / (?:allergy|allergies)$/i,
        "",
      )
    ).filter((one) => !EMPTY.test(one)),
  );
const EATS = "(?:eat|drink|use|consume|touch|smoke|do|buy|wear|watch|take|have|cook with|order)";
/** "I don't eat meat on Fridays": avoided only at times. */
const AT_TIMES =
  /^(.*?) ?\b((?:late )?at (?:night|lunch|dinner|breakfast|work|school|home)|(?:late )?in the (?:mornings?|evenings?|afternoons?|winter|summer|spring|autumn)|on (?:week\p{L}+|\p{L}+days?)|during (?:the )?(?:day|week|weekend|\p{L}+)|(?:right )?before (?:an? |the |my )?\p{L}+|(?:right )?after (?:an? |the |my )?\p{L}+)\b/iu;
const avoided = (text: string, loose: boolean): Draft[] => {
  const times = AT_TIMES.exec(text);
  if (times) {
    return times[1]
      ? claim("avoids", `${value(times[1])} ${times[2]!.replace(/\bmy\b/g, "their")}`)
      : [];
  }
  return always(text, loose);
};
const always = (text: string, loose: boolean): Draft[] =>
  /\bany ?(?:more|longer)\b/i.test(text)
    ? []
    : /^anything (?:with|that|made|containing|from)\b/i.test(text)
    ? claim("avoids", text.replace(/,.*$/, ""))
    : claims(
      "avoids",
      list(text.replace(/, (?:only|just) .*$/, "")).map((one) =>
        one.replace(/^(?:any|much|really|a lot of) /i, "")
      ).filter((one) =>
        !EMPTY.test(one) &&
        (loose ||
          !/^(?:well|out|enough|much|breakfast|lunch|dinner|before|after|at|in|on|there|that|with|alone|like|from|late|a (?:lot|car|dog)|any (?:more|idea))\b/i
            .test(one))
      ),
    );

/** "I had cancer ten years ago": a former condition. */
const OVER =
  /\b(?:ago|as an? \p{L}+|when I was|last \p{L}+|in (?:19|20)\d\d|in my (?:teens|twenties|thirties|forties))\b/iu;

/** "I avoid bread, I'm allergic to gluten": both are named. */
const OF_ANOTHER_THING =
  /\ballerg(?:ic|y|ies) to (?!(?:it|them|this|that|those|these|both|all|most|some)\b)/i;

/** Rules of this group. */
export const FOOD_HEALTH: readonly Rule[] = [
  {
    example: "I can't eat peanuts because I'm allergic.",
    counterexample: "No dairy for me, I'm lactose intolerant.",
    when: pattern("i")`
      ^I (?:avoid|(?:can not|do not|never|should not|must not|may not|am not (?:able|
      allowed) to) (?:have|eat|drink|touch|use|wear|tolerate|digest|handle|be around|
      consume)) (.+?)(?:,| -| –|
      ;| because| since| as| due to| owing to| thanks to| for)+(?: of)? (?:I am |I have |it is |(?:he|
      she) is |my |an? |I )(?:(?:(?:badly |severely |very |deathly |highly )?allerg)|
      (?:\w+ )?allerg|an allerg|get (?:hives|a rash)|break out)
    `,
    then: (m, a) => {
      const reason = m.input.slice(m[0].indexOf(m[1]!) + m[1]!.length);
      const isOthers = a.speaker && / (?:he|she) is /i.test(reason);
      return isOthers || OF_ANOTHER_THING.test(reason) ? [] : substances(m[1]!);
    },
  },
  {
    example: "Nuts? I'm deathly allergic.",
    counterexample: "I'm not allergic to nuts.",
    when:
      /^I (?:am|have been|have always been) (?:(?:very|severely|badly|highly|deathly|terribly|slightly|mildly|super|quite|really|also|extremely|seriously|violently|dangerously|a bit) )*(?:allergic|anaphylactic|hypersensitive) to (.+)/i,
    then: (m) => substances(m[1]!),
  },
  {
    example: "I have a peanut allergy.",
    counterexample: "I have a dream.",
    when:
      /^I (?:have|suffer from|developed|have developed|live with|was born with|carry an epipen for) (?:(?:an?|my|multiple|several|some|bad|severe|serious|mild|terrible|strong|nasty|known|food|seasonal|life-threatening|really|very) )*([\p{L} -]*?) ?(?:allergy|allergies|anaphylaxis)(?: to (.+)|,? (?:so|but|and)\b.*)?$/iu,
    then: (m) =>
      m[2]
        ? substances(m[2])
        : m[1] && !/^(?:an?|food|my|many|bad|severe|no|seasonal)?$/i.test(m[1].trim())
        ? substances(m[1])
        : [],
  },
  {
    example: "Penicillin gives me a rash, I'm allergic to it.",
    when:
      /^(.{3,40}?) (?:gives? me (?:an allergic reaction|hives|a rash)|sets? off my allergies|triggers? (?:my allergies|an allergic reaction|my allergy|anaphylaxis)|makes? me break out(?: in hives)?|sends? me (?:in)?to (?:anaphylaxis|anaphylactic shock|(?:the )?(?:hospital|er|a&e)))/i,
    then: (m) => substances(m[1]!),
  },
  {
    example: "I eat kosher.",
    counterexample: "I eat everything except fish.",
    when: pattern("i")`
      ^I (?:am on an?|(?:am )?try(?:ing)?(?: out)? an?|am eating|am following an?|
      am sticking to an?|am doing|am|eat only|eat strictly|eat|keep|went|have gone|go|became|
      turned|follow an?|follow|have followed an?|stick to an?|adhere to an?|have been|do|
      have switched to an?|switched to an?|maintain an?|live|practi[sc]e|started an?|
      have adopted an?|adopted an?|try to eat|only eat|
      observe) (?:strictly |mostly |fully |completely |strict |only |a )*(.+)
    `,
    then: (m, a) =>
      /^(?:vegan|vegetarian|keto|kosher|halal|gluten[- ]free|plant[- ]based|paleo|low[- ]carb|pescatarian|mediterranean)\s+(?:(?:food|recipes?|restaurants?|dishes|cooking|meals?)\s+(?:every|on|once|at|when)|(?:kitchen|bakery|blog|menu|options?|snacks?|products?)\b)/i
          .test(m[1]!) || /\b(?:restaurant|cookbook|recipe|cafe)/i.test(a.said)
        ? []
        : diet(m[1]!),
  },
  {
    example: "My diet is halal.",
    counterexample: "My supervisor's a vegan.",
    when: new RegExp(
      `^my (?:diet is|eating style is|food is all|household is|family is) (?:strictly |mostly |fully )?(.+)`,
      "i",
    ),
    then: (m) => diet(m[1]!),
  },
  {
    example: "i dont eat meat",
    counterexample: "I never skip breakfast.",
    when:
      /^I (?:do not|never|will not|refuse to|choose not to|can not|could not|would never|would not) (?:ever )?(?:eat|drink|use|consume|digest|touch|smoke|do drugs|buy|wear|do) (?!and\b|or\b)(.+)/i,
    then: (m, a) =>
      /\b(?:after|before|past|until|without|if)\b/i.test(m[1]!) || / allerg/i.test(a.said)
        ? []
        : /\b(?:buy|use|wear|do)\b/i.test(m[0].slice(0, 20)) &&
            /^(?:it|that|this|my|the|a|an|to|so|much|any)\b/i.test(m[1]!)
        ? []
        : avoided(m[1]!, false),
  },
  {
    example: "I avoid caffeine.",
    counterexample: "I never skip breakfast.",
    when: new RegExp(
      `^I (?:try to )?(?:avoid|stay away from|steer clear of|keep away from|abstain from|refrain from|shun|skip|stay off|keep off|cut out|have cut out|gave up(?! on\\b)|have given up(?! on\\b)|have sworn off|swore off|went off|quit|stopped|have stopped|do without|am off|limit|boycott|am cutting out|am trying to avoid)(?: (?:using|consuming|taking|${EATS}ing|all))* (.+)`,
      "i",
    ),
    then: (m, a) =>
      /^I (?:quit|stopped|have stopped|skip|limit|am off)/.test(m[0]) &&
        !/\b(?:eating|drinking|consuming|meat|sugar|alcohol|caffeine|coffee|dairy|gluten|wheat|carbs|soda|beer|wine|smoking|vaping)\b/i
          .test(a.said)
        ? []
        : /\b(?:playing|working|living|studying|running|going|doing|my|looking|trying|being|job)\b/i
            .test(m[1]!.split(" ").slice(0, 2).join(" "))
        ? []
        : /^I (?:have )?(?:gave up|given up|sworn off|swore off|went off|quit|stopped|cut out)/
            .test(m[0])
        ? always(m[1]!, true)
        : avoided(m[1]!, true),
  },
  {
    example: "I have chronic migraines.",
    counterexample: "I think I have ADHD.",
    when:
      /^I (?:have had|have developed|have been living with|have got|have|had|suffer from|live with|struggle with|deal with|manage|get|developed|was born with|am living with|am recovering from|am being treated for|battle) (?:(?:an?|my|some|mild|severe|chronic|bad|terrible|really bad|frequent|occasional|regular|from) )*(.+)/i,
    then: (m, a) => {
      if (/^I had\b/.test(m[0]) && OVER.test(a.said)) return [];
      const found = list(m[1]!.replace(/ in (?:my|the|both|one) .*$/i, "")).filter(isCondition);
      return claims(
        "condition",
        found.length ? found : list(m[0].replace(/^I \S+ an? /, "")).filter(isCondition),
      );
    },
  },
  {
    example: "I've been diagnosed with asthma.",
    counterexample: "I was reading about asthma.",
    when:
      /^I (?:was|have been|got|am|just got) (?:(?:recently|just|officially|finally) )*diagnosed (?:with|as(?: having| an?)?) (?:an? )?(.+)/i,
    then: (m) => claims("condition", list(m[1]!)),
  },
  {
    example: "I'm on blood thinners.",
    counterexample: "I'm on the train.",
    when:
      /^I (?:am )?(?:currently |now )?(?:take|taking|am on|on|use|using|inject|injecting|am prescribed|was prescribed|have been prescribed|have to take|need to take|got prescribed|have been put on|was put on|started taking|started on|started|have started) (?:(?:daily|an?|my|some|regular|about|low-dose|two|\d+ ?m?g(?: of)?|a (?:low )?dose of|a prescription for) )*(.+)/i,
    then: (m, a) => {
      const v = list(m[1]!.replace(/ (?:for|against|to (?:treat|control|manage)) .*$/i, ""));
      const why = / (?:for|against|to (?:treat|control|manage)) (?:my )?(.+)$/i.exec(m[1]!);
      const known = v.filter((one) => isMedicine(one));
      return known.length
        ? claims("medication", known)
        : why && isCondition(value(why[1]!)) && /\btake|taking|prescribed|\bon\b/.test(a.said)
        ? claims("medication", v)
        : [];
    },
  },
];
