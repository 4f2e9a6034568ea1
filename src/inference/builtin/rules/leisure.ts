/** Hobbies and belongings. */
import { gerund, isPastVerb } from "../lexicon/verbs.ts";
import { toolAttribute } from "../lexicon/tools.ts";
import { ANIMAL_WORDS } from "../lexicon/people.ts";
import { list, value } from "../values.ts";
import { claim, claims, type Draft, EMPTY, type Rule } from "./rule.ts";
import { lines, pattern } from "../lexicon/lines.ts";

const INSTRUMENT = pattern("i")`
  ^(?:the )?(?:(?:classical|electric|acoustic|bass|double|french|alto|tenor|upright|lead|
  jazz|lap steel|slide|12-string|church|pipe|baroque) )*(?:piano|guitar|violin|viola|
  cello|bass|drums?|flute|clarinet|saxophone|sax|trumpet|trombone|tuba|horn|oboe|bassoon|
  harp|banjo|ukulele|mandolin|accordion|harmonica|organ|keyboards?|keys|recorder|bagpipes|
  sitar|tabla|lute|oud|kora|marimba|xylophone|vibraphone|percussion|didgeridoo|concertina|
  fiddle|zither|koto|erhu|djembe|theremin|bongos|synth(?:esizer)?s?|bandoneon|piccolo|
  euphonium|cornet|steelpan)$
`;
const SPORT = pattern("iu")`
  ^(?:tennis|football|soccer|basketball|volleyball|badminton|squash|hockey|ice hockey|
  field hockey|rugby|cricket|golf|chess|go|poker|bridge|handball|table tennis|
  ping[- ]pong|padel|pickleball|baseball|softball|lacrosse|water polo|darts|pool|snooker|
  billiards|frisbee|ultimate(?: frisbee)?|netball|floorball|board games|video ?games|
  card games|dungeons (?:and|&) dragons|d&d|dnd|minecraft|mahjong|scrabble|curling|
  croquet|p(?:e|é)tanque|boules|bowls|paintball|beach volleyball|backgammon|
  magic(?: the gathering)?|warhammer|roller derby|futsal|shogi)$
`;
/** A game by its title ("I play Stardew Valley"). */
const TITLE = /^\p{Lu}[\p{L}\d':& -]+$/u;
const ACTIVITY = pattern("iu")`
  ^(?:yoga|pilates|pottery|ceramics|karate|judo|aikido|ju-?jitsu|jiu-?jitsu|taekwondo|
  kung fu|tai chi|boxing|kickboxing|crossfit|gymnastics|ballet|archery|fencing|origami|
  calligraphy|photography|woodworking|carpentry|knitting|crochet|embroidery|sewing|
  gardening|bouldering|climbing|parkour|theatre|theater|improv|astronomy|birdwatching|
  birding|genealogy|geocaching|capoeira|krav maga|martial arts|triathlons?|marathons?|
  cross-stitch|quilting|macram(?:e|é)|watercolou?rs?|stand-up(?: comedy)?|amateur radio|
  ham radio|cosplay|zumba|spinning|muay thai|aerobics|weightlifting|powerlifting|puzzles|
  crosswords?|sudoku|swing dancing|salsa(?: dancing)?|tango|\p{L}+ing)$
`;
const FREE_TIME = pattern("i")`
  \b(?:in my (?:spare|free|down)[- ]?time|for fun|to relax|to unwind|as a hobby|
  when I (?:have|get|find) (?:some )?(?:free |spare )?time|on (?:my )?(?:weekends|
  days off)|(?:at|on|over) (?:the )?weekends|most weekends|every weekend|
  outside (?:of )?work|after work|when I am not working|on the side|in my leisure time|
  on (?:satur|sun)days|off the clock|to wind down|to switch off|my free time|
  my spare time)\b
`;
const BE_SKILLED =
  /^(?:work|live|am|have|sleep|rest|stay|study|commute|get|wake|need|want|call|visit|see|meet|spend|like|love|enjoy|prefer|hate|go to|eat|take my|drive my|help my|do nothing|usually|try|would|will|can|could|must|drink|clean)\b/i;

/** Verbs that name a pastime without an object ("I knit"). */
const PASTIME =
  "knit|crochet|garden|paint|draw|sew|surf|climb|boulder|hike|ski|snowboard|skate|sail|fence|box|dance|bake|fish|dive|scuba dive|freedive|kayak|row|juggle|embroider|birdwatch|meditate|jog|swim|cycle|canoe|quilt|skateboard|sculpt";

/** Companions and places, which aren't part of an activity. */
const COMPANY = / (?:with|at|in|from|on) (?:an?|my|some|the|\p{Lu}\p{L}+)\b.*$/u;

const activities = (text: string): Draft[] =>
  claims(
    "hobby",
    list(
      text.replace(/^(?:to |doing |a bit of |some |a lot of |going )/i, "").replace(
        /^(?:go|do) (?=\p{L}+ing\b)/iu,
        "",
      ),
    ).filter((one) =>
      !EMPTY.test(one) && !/^(?:playing|doing|being|going|making|trying)$/i.test(one)
    ),
  );

/** Companions, but not tools ("with watercolours"). */
const WITH_WHOM =
  / with (?:my \p{L}+|(?:some |the |old )?(?:friends|mates|family|kids|children|others|people|colleagues)|\p{Lu}\p{Ll}+)\s*$/u;

function spareTime(verbPhrase: string): Draft[] {
  const bare = verbPhrase.replace(/^(?:like|love|enjoy|prefer) (?:to )?/i, "").replace(/^to /i, "");
  if (BE_SKILLED.test(bare)) return [];
  const [verb = "", ...rest] = bare.split(" ");
  // "I played some chess afterwards": done once.
  if (isPastVerb(verb)) return [];
  if (/^(?:do|go|practi[sc]e|pursue)$/i.test(verb)) return activities(rest.join(" "));
  if (/ing$/.test(verb)) return activities(bare);
  const object = value(
    rest.join(" ").replace(FREE_TIME, "").replace(WITH_WHOM, ""),
  );
  return claim("hobby", `${gerund(verb)}${object ? ` ${object}` : ""}`);
}

const OWNABLE = lines`
  car|van|truck|bike|bicycle|motorbike|motorcycle|scooter|e-bike|boat|sailboat|yacht|
  kayak|canoe|house|flat|apartment|cabin|cottage|condo|farm|garden|allotment|camper|
  camper van|campervan|motorhome|rv|caravan|narrowboat|laptop|macbook|pc|desktop|computer|
  phone|iphone|tablet|ipad|camera|drone|telescope|piano|guitar|violin|drum kit|keyboard|
  synthesizer|printer|3d printer|vinyl collection|record player|sewing machine|loom|kiln|
  greenhouse|espresso machine|coffee machine|tent|surfboard|snowboard|motorhome|
  summer house|holiday home|vineyard|orchard|shop|tesla|toyota|volvo|skoda|bmw|audi|ford|
  honda|kindle|e-reader|smartwatch|apple watch|garmin|playstation|ps5|xbox|
  nintendo switch|switch|steam deck|raspberry pi|server|home lab|pool|hot tub|treadmill|
  rowing machine|wood stove|tractor|horsebox|treehouse|plot of land|telescope|dishwasher|
  washing machine|fridge|freezer|oven|stand mixer|air fryer|vacuum cleaner|sofa|
  television|tv|monitor|watch|bookcase|unicycle|longboard|skateboard|typewriter|
  microscope|accordion|harp|cello|banjo|ukulele
`;
const KNOWN_THING = new RegExp(`(?:^|\\s)(?:${OWNABLE})s?(?=$|\\s)`, "i");
const NO_THING = new RegExp(
  `^(?:${ANIMAL_WORDS})s?$|\\b(?:${ANIMAL_WORDS})s?\\b|^(?:tickets?|lunch|dinner|breakfast|groceries|food|milk|bread|a gift|gifts?|presents?|coffee|flowers|a round|drinks?|it|that|this|them|time|some|something|everything|nothing|birthday|my ticket|business|company|start-?up|bakery|restaurant|café|cafe|shop|practice|studio|lot|few things|mistake|share|shares|into|up)\\b`,
  "i",
);
const thing = (text: string, known: boolean): Draft[] =>
  claims(
    "owns",
    list(
      text.replace(
        / (?:at home|at work|in (?:the|my) (?:garage|shed|garden|living room|basement|attic|bedroom|kitchen|yard|driveway)|at my place)\b.*$/i,
        "",
      ).replace(
        /^(?:myself |me |my own |my first |our first |an? (?:new|used|second-hand|secondhand|brand new|brand-new|old|lovely|beautiful|small|little|nice|cool|cute|shiny) )/i,
        "",
      ).replace(/^(?:an? )?(?:brand[- ]new|new|used|second-?hand) /i, "")
        .replace(/^my (?=\p{Ll}+'s )/u, ""),
    ).filter((one) => !NO_THING.test(one) && !EMPTY.test(one) && (!known || KNOWN_THING.test(one))),
  );

const PURSUITS: Readonly<Record<string, string>> = { potter: "pottery", cyclist: "cycling" };
/** Returns the hobby of an amateur: "gardening" for "gardener", "astronomy" for "astronomer". */
const pursuit = (who: string): string =>
  PURSUITS[who] ??
    who.replace(/(?<=graph|onom)er$/, "y").replace(/(?:er|or)$/, "ing");

/** Rules of this group. */
export const LEISURE: readonly Rule[] = [
  {
    example: "I'm a keen gardener.",
    counterexample: "I'm a Virgo.",
    when:
      /^I am (?:also )?an? (?:(?:very|really) )?(?:avid|keen|enthusiastic|hobby|amateur) (\p{Ll}+(?:er|or|ist))$/u,
    then: (m) => claim("hobby", pursuit(m[1]!)),
  },
  {
    example: "My hobby is beekeeping.",
    counterexample: "My brother plays the drums.",
    when:
      /^(?:my )?(?:(?:main|biggest|favou?rite|new|other|latest|only|greatest|current) )*(?:hobb(?:y|ies)|pastimes?|pass-?times?|interests?|passions?|leisure activit(?:y|ies)|creative outlet|free-time activit(?:y|ies))(?: of choice| these days| right now| at the moment)? (?:is|are|include|includes|lies? in|would be|involves?)(?: (?:things like|mainly|mostly|currently|still|definitely))?:? (.+)/i,
    then: (m) => activities(m[1]!),
  },
  {
    example: "Surfing is my big passion",
    when: pattern("i")`
      ^(.{3,60}?) (?:is|are|has become|became|has been)(?: (?:also|definitely|still|now|
      currently))* (?:(?:a|one of my|my|another|an old|a big|the) (?:(?:main|biggest|
      favou?rite|new|big|great|other|serious|long-time|lifelong|weekend|latest) )*(?:hobb(?:y|
      ies)|pastimes?|leisure activit(?:y|ies)|passions?)(?: of mine)?|how I (?:unwind|relax|
      spend my (?:free|spare) time)|what I do (?:for fun|in my (?:spare|free) time|to relax|
      to unwind))
    `,
    then: (m) => /^(?:it|that|this|which|what)$/i.test(m[1]!) ? [] : activities(m[1]!),
  },
  {
    example: "I play the harp.",
    counterexample: "I play devil's advocate.",
    when:
      /^I (?:(?:can )?play|am playing|have played|used to play|have been playing)(?: (?:a bit of|some|a lot of|competitive|amateur|in a|first|the|five-a-side|semi-professional|club))* (.+)/i,
    then: (m) => {
      if (/used to|^I have played/.test(m[0]) && !/\bfor\b|since/.test(m[0])) return [];
      const v = list(
        m[1]!.replace(
          / (?:in|for|with|at|on) (?:an?|the|my|our|\p{Lu}\p{Ll}+) .*$| with \p{Lu}\p{Ll}+$/u,
          "",
        ),
      );
      const known = v.filter((one) => INSTRUMENT.test(one) || SPORT.test(one) || TITLE.test(one));
      return claims(
        "hobby",
        known.map((one) => `playing ${INSTRUMENT.test(one) ? "the " : ""}${one}`),
      );
    },
  },
  {
    example: "I do yoga every day.",
    counterexample: "I do payroll for a hospital.",
    when:
      /^I (?:do|practi[sc]e|am doing|have been doing|have done|am practi[sc]ing|have been practi[sc]ing|train in|train|compete in|am training in|dabble in|participate in|am into|teach myself) (?:a (?:bit|lot) of |some |competitive |amateur )?(.+)/i,
    then: (m) => {
      const v = list(m[1]!.replace(COMPANY, ""));
      const known = v.filter((one) =>
        ACTIVITY.test(one) || SPORT.test(one) && /^\p{Ll}/u.test(one)
      );
      return /^I am into/.test(m[0]) ? activities(m[1]!) : claims(
        "hobby",
        known.filter((one) =>
          !/^(?:working|doing|marketing|accounting|consulting|engineering|nursing|teaching|cleaning|catering|banking|recruiting|testing|being|nothing|something|anything|everything|looking|trying|going)/i
            .test(one)
        ),
      );
    },
  },
  {
    example: "I knit.",
    counterexample: "I quit the band.",
    when: new RegExp(
      `^I (${PASTIME})(?= (?:a lot|for|to|with|in|on|at|when|most|as|and|every|since|years|months|\\w+ years|last|again|regularly|competitively)\\b|$)`,
      "i",
    ),
    then: (m) => claim("hobby", gerund(m[1]!)),
  },
  {
    example: "I go fishing with my dad.",
    counterexample: "I go by the rules.",
    when: /^I go (\p{L}+ing)\b/iu,
    then: (m) =>
      /^(?:shopping|working|looking|being|doing)$/i.test(m[1]!) ? [] : claim("hobby", m[1]),
  },
  {
    example: "I collect vinyl records.",
    counterexample: "I quit the band.",
    when:
      /^I (?:collect|am collecting|have been collecting) (?!data|my (?:kids|children|parcel|mail)|dust)(.+)/i,
    then: (m) => claims("hobby", list(m[1]!).map((one) => `collecting ${one}`)),
  },
  {
    example: "I spend my weekends restoring a 1968 Vespa.",
    counterexample: "I used to smoke a pack a day.",
    when:
      /^I (?:spend|pass) (?:most of |much of |a lot of |all )?my (?:(?:spare|free) time|weekends|evenings|days off|leisure time)(?: \p{L}+)? (\p{L}+ing\b.*)/iu,
    then: (m) => activities(m[1]!),
  },
  {
    example: "I like to paint in my free time.",
    counterexample: "I like to think so.",
    when: /^I (.+)/i,
    then: (m, a) =>
      FREE_TIME.test(a.said) && a.said.length < 160
        ? spareTime(value(m[1]!.replace(FREE_TIME, "")) || m[1]!)
        : [],
  },
  {
    example: "I drive a Toyota.",
    counterexample: "I drive a tram in Melbourne.",
    when:
      /^I (?:drive|ride) (?!(?:an? |the )?(?:forklift|taxi|cab|tram|train|lorry|ambulance|crane|digger|(?:school |night )?bus|[\w-]+ (?:route|line))\b|to\b|my (?:kids|son|daughter|children|wife|husband)|the (?:kids|bus|train)\b|home\b|for\b|every\b|a lot\b|past\b|around\b|people\b|the bus|in\b|through\b)(?:around in )?(?:(?:an?|my|the) )?(.+)/i,
    then: (m) =>
      /^(?:horses?|bikes?|bicycle|motorbikes?|waves|\w+ing|(?:my )?bike to\b.*)$/i.test(
          value(m[1]!),
        )
        ? []
        : thing(m[1]!, false),
  },
  {
    example: "We own a vineyard.",
    counterexample: "We don't have a TV.",
    when:
      /^I (?:am the (?:proud |happy )?owner of|proudly own|own|have owned|inherited|am a (?:proud )?owner of|possess) (?:up )?(?!this\b|that\b|these\b|those\b)(.+)/i,
    then: (m) => thing(m[1]!, false),
  },
  {
    example: "I just bought a drum kit.",
    counterexample: "I bought him a drink.",
    when:
      /^I (?:have )?(?:bought|purchased|got myself|acquired|treated myself to|just got|splurged on|picked up|invested in|upgraded to|ordered myself|finally got|was gifted) (?:myself )?(?!to\b|it\b|by\b|(?:him|her|them|you|someone|everybody|everyone) |my \w+ an? |a (?:round|coffee|ticket)|tickets|lunch|dinner|some (?:food|groceries)|as\b)(.+)/i,
    then: (m) =>
      toolAttribute(value(m[1]!)) || /^I picked up/.test(m[0]) && !KNOWN_THING.test(m[1]!)
        ? []
        : thing(m[1]!, false),
  },
  {
    example: "I have a car.",
    counterexample: "I have a dream.",
    when: /^I have (?:had )?(?:the same|an?|my own|two|three|my) (.+)/i,
    then: (m) =>
      m[1]!.split(/ and (?=an? |two |three |my )/).flatMap((one) =>
        thing(one.split(/ (?:that|which|who|with|and|called|named) /)[0]!, true)
      ),
  },
];
