/**
 * Rewrites paraphrases as the few clauses that the rules know ("home is X", "X is where I live" →
 * "I live in X").
 */
import { TASTE_FRAMES } from "./taste_frames.ts";
import { pattern } from "../lexicon/lines.ts";

const FRAMES: ReadonlyArray<readonly [RegExp, string]> = [
  // Being
  [
    /^I (?:can |get to |may |could |like to |would )?(?:now )?(?:call|consider|describe|count|see|regard|think of) myself (?:as |to be |among the )?/i,
    "I am ",
  ],
  [
    /^I have (?:always )?been (?=an? |vegan|vegetarian|married|divorced|self|retired|single|based|allergic|in love with|into |pescatarian|keto|learning|studying|teaching|working|living|doing|playing|training|taking|using|writing|driving|saving|practi[sc]ing|engaged|diabetic|off |on )/i,
    "I am ",
  ],
  [/^I (?:identify (?:myself )?as|(?:have )?came out as) /i, "I am "],
  [/^I am (?:currently )?based out of (?=\p{Lu})/u, "I live in "],
  [/^I (?:became|turned into|ended up as|qualified as) (?=an? )/i, "I am "],
  [/^I have (?:recently |just |since )?(?:become|been made(?! redundant)) /i, "I am "],
  [
    /^I am (?:an? )?(?:(?:long-?time|happy|heavy|daily|die-hard|loyal|proud|big|avid) )*([\p{L}\p{N} .+#]+?) user$/iu,
    "I use $1",
  ],
  [/^I have been (?=\p{Ll}+ing\b)/u, "I am "],
  [
    /^I (?:am|was|have been) (?:known|commonly known|better known) (?:as|to \w+ as) /i,
    "people call me ",
  ],
  [/^my nickname (?:at \w+ |in \w+ )?is /i, "people call me "],
  // "My grandma always called me Pip", "everyone at work knows me as Doc".
  [
    /^(?!(?:[Nn]obody|[Nn]o one|[Nn]ot|[Yy]ou|[Pp]lease|I|[Dd]o|[Nn]ever|[Hh]e|[Ss]he)\b)[\p{L}' ]{3,40}? (?:(?:always|usually|just|still|all|mostly|simply|only|lovingly|jokingly|here|has|have) )*(?<!\bused to )(?:calls?|called|knows?|refers? to|addresse?s?|nicknamed?) me (?:as |simply |only )?(?=\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?(?:$|,))(?!\p{L}+day\b)/u,
    "people call me ",
  ],
  [
    /^I (?:usually |mostly |just )?(?:go by|am going by|went by|respond to|answer to|am nicknamed|get called|am called by my nickname) (?:the (?:name|nickname) (?:of )?(?=\S)|(?=\p{Lu}|["']|(?:he|she|they|ze|xe|it|any|fae)\s?\/))/u,
    "people call me ",
  ],
  [
    /^(?:people|everyone|friends|they|most people|folks|my (?:friends|mates|family|parents|colleagues|teammates)) (?:usually |often |always |mostly )?(?:shorten(?:ed)?|abbreviated?) (?:my name|it) to /i,
    "people call me ",
  ],
  // Origin and home
  [
    /^(?:[Mm]y )?[Hh]ome(?: base| town| sweet home)?(?: for me| these days| now| nowadays)? (?:is|has been) (?:now |currently )?(?:an? [\p{L} -]{3,30}? in |in )?(?=\p{Lu})/u,
    "I live in ",
  ],
  [
    /^I (?:am )?(?:currently |now |presently )?(?:reside|dwell|stay|residing|staying permanently|living|located|situated|based|housed|domiciled|rooted) (?=(?:in|at|near|on|out|just|outside|around|close|between|with|alone|by) )/i,
    "I live ",
  ],
  [
    pattern("u")`
      ^I (?:rent|share|have|own|live in|am renting|bought|got|have bought) (?:an?|my|
      our) (?:(?!summer|holiday|vacation|second|weekend|beach|
      country)[\p{Ll}-]+ ){0,3}(?:flat|apartment|house|studio|room|loft|condo|(?<=(?:rent|
      share|renting|live in) (?:an?|my|our) (?:[\p{Ll}-]+ ){0,3})(?:cottage|place|farm|
      cabin)) (?:with (?:an?|two|three|four|five|some|\d) [\p{Ll} ]{3,25}? )?(?=(?:in|near|
      outside|on the (?:outskirts|edge) of) (?:(?:the )?(?:centre|center|middle|heart|north|
      south|east|west|outskirts|suburbs) of |central |downtown )?\p{Lu})
    `,
    "I live ",
  ],
  [
    /^(?:my )?(?:home ?town|birthplace|place of birth|native (?:city|town|country)|country of origin) is (?:called )?/i,
    "I am from ",
  ],
  [/^I (?:come|hail|originate|am originally|stem|am coming) from /i, "I am from "],
  [
    /^I (?:was |am (?=born and))?(?:born and (?:raised|bred|grew up)|raised|brought up|bred|born & raised|reared) (?:by [^,]{3,30}? )?(?=(?:in|on|near|by) )/i,
    "I grew up ",
  ],
  [
    /^I (?:have )?(?:just |recently |finally )?(?:relocated|transferred|resettled|emigrated|immigrated|shifted|upped sticks|packed up and moved|moved back|moved house|moved over|moved away|moved out|moved home|returned home|moved permanently|moved abroad|moved down|moved up) (?=(?:from|to|in) )/i,
    "I moved ",
  ],
  // Work
  [
    /^(?:my|the) (?:company|team|office|employer|firm|agency|studio|department|lab) (write|build|code|develop|deploy|host|ship)s /iu,
    "I $1 ",
  ],
  [
    /^(?:my|the) (?:company|team|office|employer|firm|agency|studio|organi[sz]ation|department|lab|school)(?: mostly| mainly| also)? (?:uses?|runs? on|works with|relies on) /i,
    "I use ",
  ],
  [
    /^I (?:am|went|have gone|have been|returned|am going) (?:back (?:to work(?:ing)? )?|to work(?:ing)? )(?:at|for|with) (?=(?:the )?\p{Lu})/u,
    "I work at ",
  ],
  [/^I have been (?:at|with) (?=(?:the )?\p{Lu}.* (?:since|for)\b)/u, "I work at "],
  [
    /^I (?:am )?(?:employed|working|serving|serve|acting|act|contracting|practising|practicing|engaged) as /i,
    "I work as ",
  ],
  [
    /^I (?:have )?(?:a|the|my|my new|a new|an) (?:new |full-time |part-time |desk |steady )*(?:job|position|role|post|gig) (?:at|with|in|for) /i,
    "I work at ",
  ],
  [/^I (?:make|earn|made) (?:my|a) (?:living|keep) (?:as|by working as) /i, "I work as "],
  [
    /^my (?:(?:current|new|day|official|actual|main|present) )*(?:job|job title|title|profession|occupation|role|position|day job|trade|line of work|vocation|calling)(?: at work| there| now)? is (?:that of |to be |being |as )?/i,
    "my job is ",
  ],
  [
    /^I (?:am|have been) (?:currently |now )?(?:working(?: full[- ]time| part[- ]time)? (?:at|for)|(?:employed|hired|contracted|engaged|on staff|on the payroll|under contract)(?: full[- ]time| part[- ]time)? (?:by|at|for|with)) /i,
    "I work at ",
  ],
  [
    /^(?:my (?:current |new |present )?(?:employer|company|workplace)|the company I work (?:for|at)|the place I work(?: at)?) is (?:called |now )?/i,
    "I work at ",
  ],
  [
    /^(.{2,40}?) (?:is my (?:current |new )?employer|employs me|pays my (?:salary|bills|wages)|is where I work|signs my paychecks?|is the company I work for)\b/i,
    "I work at $1",
  ],
  [/^(.{2,40}?) (?:hired|recruited|poached|headhunted) me\b/i, "I joined $1"],
  [
    /^I (?:got|was|have been|got recently) (?:just |recently )?(?:hired|recruited|taken on|employed|poached|headhunted) (?:by|at) /i,
    "I joined ",
  ],
  [
    /^I (?:have )?(?:just )?(?:signed on|signed up(?= with )|started working|began working|started work|began|started a (?:new )?(?:job|position|role)|started my new job|began a (?:new )?job) (?:at|with|for) /i,
    "I joined ",
  ],
  [
    /^I (?:have )?(?:resigned|departed|walked away|stepped down|parted ways|was laid off|got laid off|was made redundant|got fired|was fired|was let go|got let go|got sacked|was sacked|handed in my notice|quit working|stopped working|quit my (?:job|position)|left my (?:job|position)|quit my job working|gave up my job) (?:from|at|by|with) /i,
    "I left my job at ",
  ],
  // Family
  [/^I (?:tied the knot|got hitched|wed|exchanged vows)\b/i, "I got married"],
  [
    /^I share my (?:life|flat|home|house|apartment|place|bed|sofa) with (?=an? |two |three |my )/i,
    "I have ",
  ],
  [/^I (?:am )?(?:raising|bringing up) (?=two|three|four|\d|a )/i, "I have "],
  // Decisions
  ...TASTE_FRAMES,
];

/** Returns the clause that a paraphrase means, else the clause itself. */
export function frame(clause: string): string {
  let out = clause;
  for (let i = 0; i < 3; i++) {
    const found = FRAMES.find(([pattern]) => pattern.test(out));
    const next = found ? out.replace(found[0], found[1]) : out;
    if (next === out) break;
    out = next;
  }
  return out;
}
