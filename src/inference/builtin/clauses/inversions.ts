/** Rewrites inverted sentences in the order that the rules expect. */
import { ANIMAL_WORDS, BREED_WORDS, RELATION_WORDS } from "../lexicon/people.ts";
import { NAME, NAMES } from "../values.ts";

const KIN = `(?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})s?`;
/** A former home, job or course of studies, mentioned in passing with "when". */
const LASTED = "I (?:lived|worked|studied) (?:in|at|for) ";

/** "There are two guinea pigs in our house": the speaker has them. */
const AT_HOME =
  "(?:living with me|(?:in|at) (?:my|the) (?:house|household|home|family|flat|garden|garage|\\p{Ll}+ room|kitchen|attic|basement|shed)|at home)";

const INVERSIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [
    new RegExp(
      `^(${NAMES}) (?:is|are|was|were) (?:the names? of|what I (?:called|named)) (my ${KIN})$`,
      "u",
    ),
    "$2 is called $1",
  ],
  [new RegExp(`^[Ii]t is (?:just |only )?me,? (${NAME})$`, "u"), "my name is $1"],
  [
    new RegExp(`^.*\\bintroduce myself(?:[:,]| [-–—])? (?:I am |my name is )?(${NAME})$`, "u"),
    "my name is $1",
  ],
  // "It's three years since I moved to Galway".
  [
    /^[Ii]t (?:is|has been) ((?:(?:almost|nearly|about|exactly) )?(?:\d+|an?|\p{L}+) (?:years?|months?|weeks?))(?: today| now| this \p{L}+)? since I (.+)$/u,
    "I $2 $1 ago",
  ],
  // "Call me Ishmael, that's my actual name".
  [
    new RegExp(
      `^(?:(?:[Pp]lease )?[Cc]all me|I go by(?: the name(?: of)?)?) (${NAME})(?:,| -| –)? (?:that|it) is my (?:\\p{Ll}+ )?name$`,
      "u",
    ),
    "my name is $1",
  ],
  [/^I have (?:set myself|given myself) (?:the|a) (?:goal|target|aim) (?:of|to) /u, "my goal is "],
  [/^[Ii]t is (?:urgent|important|crucial|essential|vital) that I (?=\p{Ll})/u, "I must "],
  // "It's jazz I love most", "What I can't stand is noise", "Mushrooms I can't stand".
  [
    /^[Ii]t is ((?:the )?(?!based|about|one|what|something|everything|like|so|all)[\p{L}-]+(?: [\p{L}-]+)?) (?:that )?I ((?:really |absolutely )?(?:love|enjoy|like|adore|hate|detest|prefer|can not stand))(?: (?:most|best|the most|more than anything))?$/u,
    "I $2 $1",
  ],
  [
    /^[Ww]hat I ((?:really |absolutely |most )?(?:love|enjoy|like|adore|hate|detest|prefer|can not stand))(?: most| the most)? is /u,
    "I $1 ",
  ],
  [
    /^(?!I\b|[Mm]y\b|[Ww]hat\b|[Tt]his\b|[Tt]hat\b|[Ii]t\b|[Tt]he (?:way|thing|idea)\b)((?:(?!(?:is|are|was|were|has|have|something|everything|all|that|which|and|but|because)\b)\p{L}+ ){1,4})I ((?:really |absolutely |just |simply )?(?:love|adore|hate|detest|loathe|avoid|can not stand|can not eat|do not eat|do not drink))$/u,
    "I $2 $1",
  ],
  // "I'll take mountains over beaches every time".
  [
    /^I (?:will|would) (?:always |still )?(?:take|choose|pick) (.+? over .+?)(?: every time| any ?day| any ?time)$/u,
    "I prefer $1",
  ],
  // "I no longer go by Kathy, it's Kat now".
  [
    new RegExp(`^(I no longer go by ${NAME}),? (?:it is|but)(?: just)? (${NAME})(?: now)?$`, "u"),
    "people call me $2; $1",
  ],
  // "Hello from Bergen, where I've lived since 2011".
  [
    /^(.*?\b(?:in|from|to|at|near) (?:\p{Ll}+ )?)(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*), where I (?:now |currently )?(?:live|have lived|have been living|am living|am based)\b/u,
    "$1$2; I live in $2",
  ],
  // "My son Elliot, 9, is dyslexic".
  [
    new RegExp(`^([Mm]y ${KIN} ${NAME}), (?:aged? )?(\\d{1,3}),? (?=\\p{Ll})`, "u"),
    "$1 is $2 years old; $1 ",
  ],
  // "I've given up Chrome, it's Firefox for me now", "I'm not vegan, just vegetarian".
  [/^(I .+?), it is (?:all |just )?(\p{Lu}\p{L}+) for me(?: now)?$/u, "$1; I use $2"],
  [
    /^I am not (?:an? )?[\p{L}-]+(?: [\p{L}-]+)?,? (?:just|but|only|rather)(?: just)? (?!(?:I|my|it|he|she|we)\b)(?=\p{L})/u,
    "I am ",
  ],
  // "I'm an expat in Dubai": a residence.
  [
    /^(I am (?:an? |the )?(?:\p{Ll}+ )?(?:expat|immigrant|refugee|foreigner|newcomer)) (?:living |based )?in (\p{Lu}[\p{L} '-]*)$/u,
    "$1; I live in $2",
  ],
  [/^I am an? (?:recent |new )?convert to (?=\p{Lu})/u, "I converted to "],
  // "I was a chef for ten years before I became a postman".
  [
    /^I (?:was|had been|have been) (an? [\p{L} -]+?(?: for [\p{L}\d ]+?)?),? before I became (an? [^,;]+)$/u,
    "I am $2; I used to be $1",
  ],
  [/^[Ii]t is (?:true|a fact|no secret|a pity|funny|odd|strange) that (?=(?:I|my) \p{Ll})/u, ""],
  [
    /^[Yy]ou (?:have )?(?:got|get|spelled|spelt|wrote) my name wrong[,;:]? (?:it is )?(?=\p{Lu})/u,
    "my name is ",
  ],
  [
    /^[Tt]he (?:newest|latest|youngest|oldest|furriest|\p{Ll}+th) (?:member|addition) (?:of|to) my (?:family|household|pack|home|gang) is (?=an? )/u,
    "I have ",
  ],
  // "Goal: run a marathon".
  [/^(?:my )?(?:goal|ambition|resolution): (?:to )?(?=\p{Ll})/iu, "my goal is to "],
  [
    /^[Ii]t is (?:in )?(\p{Lu}[^,]{1,30}?), not [^,]{2,30}, (?:where|that) I (live|work|study)$/u,
    "I $2 in $1",
  ],
  [/^I neither (\p{Ll}+) (.*?)\s?nor /u, "I do not $1 $2or "],
  // "Like my mother, I'm allergic to cats".
  [/^(?:just )?(?:un)?like (?:my|most|many|all|every|the|other)\b[^,]{2,40}, (?=I )/iu, ""],
  // "His name is Otto, he's my grandfather", "She's my aunt, her name is Vera".
  [
    new RegExp(
      `^(?:his|her|their) name is (${NAME})(?:[,;]| and) (?:(?:he|she|they) (?:is|are) )?my (${KIN})$`,
      "iu",
    ),
    "my $2 is called $1",
  ],
  [
    new RegExp(`^(?:he|she) is my (${KIN})(?:[,;]| and) (?:his|her) name is (${NAME})`, "iu"),
    "my $1 is called $2",
  ],
  // "My sister lives in Oslo and my brother in Bergen": the verb is left out.
  [
    new RegExp(
      `^([Mm]y ${KIN}(?: ${NAME})?) (lives|works|studies) (in|at|for|as) ([^,;]+?),? and (my ${KIN}(?: ${NAME})?) (?:\\3) ([^,;]+)$`,
      "u",
    ),
    "$1 $2 $3 $4; $5 $2 $3 $6",
  ],

  // "It was decided that Nora leads": without who decided it.
  [/^[Ii]t (?:was|is|has been) (decided|agreed|settled) that (?=\p{L})/u, "I $1 that "],
  // "I have a new favourite song, it's called Nightswimming".
  [/^I have a new (favou?rite [\p{Ll} ]+)(?:[,:;]| [-–])(?: it is)?(?: called)? /u, "my $1 is "],
  [new RegExp(`^[Ss]hort for ${NAME}, (?=${NAME} is )`, "u"), ""],
  // "I'm in my thirties, 36 to be exact".
  [/^I am in my [\p{L} -]+ties,? (\d\d)(?: now)?,? to be (?:exact|precise)$/u, "I am $1 years old"],
  // "We upped sticks and moved to Cádiz".
  [/^I (?:upped sticks|packed (?:up|my bags|everything)|sold up) and (?=moved\b)/u, "I "],
  [
    /^(.{3,60}) (?:is|are) what I am (?:(?:badly|severely|most) )?allergic to$/u,
    "I am allergic to $1",
  ],
  [/^I would give (?:anything|a lot|everything|my right arm) to (?=\p{Ll})/u, "I would love to "],
  // "When it comes to fruit, mango is my favourite".
  [
    /^(?:when it comes to|as for|in terms of|among|(?:out )?of all(?: the)?) ([\p{L} ]{3,25}?), ([^,]{2,50}?) (?:is|are) my (favou?rite)s?$/iu,
    "my $3 $1 is $2",
  ],
  [/, name is (?=\p{Lu})/u, "; my name is "],
  [/^you (?:can|may|should) (?:address|refer to) me (?:as )?(?=\p{Lu})/iu, "people call me "],
  [/^what I would (?:really |most )?(?:like|love)(?: most)? is to /iu, "I would like to "],
  // "2015 was the year we moved to Rome".
  [/^((?:19|20)\d{2}) was (?:the year|when)(?: that)? I /u, "in $1 I "],
  [/^(?:it was|it is) in ((?:19|20)\d{2}) that I /iu, "in $1 I "],
  // "I'm married with two kids", "I'm a married father of three".
  [
    /^I am (?:happily )?married with (\p{L}+) (?:kids|children|sons|daughters)\b/u,
    "I am married; I have $1 kids",
  ],
  [
    /^I am an? (married|single|divorced|widowed) ((?:father|mother|dad|mum|mom|parent) of \p{L}+)/u,
    "I am $1; I am a $2",
  ],
  // "My role at Siemens is quality manager".
  [
    /^[Mm]y (?:(?:current|new|present) )?(?:role|job|position|title) (?:at|with) ((?:the )?\p{Lu}[^,]{1,30}?) is (?:that of |to be )?(?=an? |the |\p{L}+ (?:manager|\p{L}+(?:er|or|ist))\b)/u,
    "I work at $1 as ",
  ],
  // "Not Birmingham, I live in Coventry" and "It's not Oracle I work for but Orange".
  [/^[Nn]ot \p{Lu}[\p{L} ]{2,25}, (?=I \p{Ll})/u, ""],
  [
    /^[Ii]t is not (?:(?:in|at|for) )?\p{Lu}[\p{L}\d ]{1,25}? (?:that |where )?(I \p{Ll}+(?: (?:in|at|for|with))?),? but (?=\p{Lu})/u,
    "$1 ",
  ],
  [
    new RegExp(
      `^[Mm]y (?:parents|mother|father|mum|mom|dad|grandfather|grandmother) (?:named|christened) me (${NAME})(?: after .*)?$`,
      "u",
    ),
    "I was named $1",
  ],
  [/^[Ii]t is my birthday(?: again)? /, "my birthday is "],
  [/^[Tt]oday is my (.*birthday)$/, "my $1 is today"],
  [/^[Tt]omorrow is my (.*birthday)$/, "my $1 is tomorrow"],
  // "It was my 61st birthday on Sunday", "Tomorrow is my thirtieth birthday".
  [/^[Ii]t was my (\S+ birthday) /, "I celebrated my $1 "],
  [/^[Ii]t is my (\S+ birthday) (?=on |today|tomorrow|next |this )/, "my $1 is "],
  [
    /^(?:[Oo]n )?(\p{Lu}\p{Ll}+day) is my (\S+ birthday)$/u,
    "my $2 is on $1",
  ],
  // "This Saturday is our housewarming party".
  [
    /^(?:[Oo]n )?(\p{Lu}\p{Ll}+day) is (my|the) (?!favou?rite)(\p{Ll}[^,;]{2,40})$/u,
    "$2 $3 is on $1",
  ],
  [/^[Tt]his (\p{Lu}\p{Ll}+day) is (my|the) (\p{Ll}[^,;]{2,40})$/u, "$2 $3 is this $1"],
  [/^[Nn]ext (\p{Lu}\p{Ll}+day) is (my|the) (\p{Ll}[^,;]{2,40})$/u, "$2 $3 is next $1"],
  // "As our CRM we picked HubSpot".
  [
    /^[Aa]s (?:my|the) (\p{L}[\p{L} -]{2,30}?),? (I (?:have |finally )?(?:chose|chosen|picked|selected|use|settled on|decided on|went with|am going with|will use)) ([^,;]+)$/u,
    "$2 $3 as $1",
  ],
  // "I'm allergic to: nuts, soy": a list with its colon.
  [/^(I\b[^:]{0,30}\b(?:to|like|love|enjoy|hate|speak|use|own|avoid|prefer|play)): /, "$1 "],
  [/^[Hh]ome (is|has been) /, "my home $1 "],
  [new RegExp(`^[Tt]he name is (${NAME})$`, "u"), "my name is $1"],
  // "Living in Tallinn has been great so far".
  [
    /^([Ll]iving in|[Ww]orking (?:at|for)) (\p{Lu}\S*(?: \p{Lu}\S*)*) (?:has been|is|feels) .*$/u,
    "I am $1 $2",
  ],
  // "My name used to be Karen but it's Kit now": only the current value counts.
  [
    /^[Mm]y ([\p{L} -]{2,30}?) (?:used to be|was) [^,;]{1,40}?,? (?:but|and|until|before)(?: now)? (?:it is|is|I (?:have )?changed it to)(?: now)? (.+?)(?: now| these days)?$/u,
    "my $1 is $2",
  ],
  [
    /^[Mm]y ([\p{L} -]{2,30}?) (?:has |have )?(?:just |recently )?changed,? (?:and |so )?(?:it is|it has become|now it is|to)(?: now)? (.+?)(?: now)?$/u,
    "my $1 is $2",
  ],
  [
    /^I (?:used to|first|originally) (?:study|studied|read|major in|majored in) [^,;]{2,40}?,? (?:but|and|then)(?: (?:then|later|now|since))* (?:have )?(?:switched|changed|moved|went) (?:over )?to /u,
    "I study ",
  ],
  [
    /^(?:[Tt]hey|[Mm]y (?:boss|manager|company|team|employer)|the (?:company|board|team|boss|club|school)) (?:have |has )?(?:just |recently )?(promoted|appointed|named|made|elected) me /u,
    "I was $1 ",
  ],
  [
    /^[Aa]t (\d{1,2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\p{Ll}+)?),? (?=I am\b)/u,
    "I am $1 years old; ",
  ],
  [
    /^[Ii]t is (?:(?:always|still|also) )?(?:been )?my ((?:\p{Ll}+ )?(?:dream|goal|ambition|aim|wish|hope)) to /u,
    "my $1 is to ",
  ],
  [/^I was (?:told|informed)(?: that)? I (?:have|had) /i, "I was diagnosed with "],
  [
    /^(I (?:have been|am) .+?) and (married|engaged|divorced|retired|single) (since|for) /,
    "$1; I have been $2 $3 ",
  ],
  // "Back when I lived in Nagoya I biked everywhere": two facts.
  [new RegExp(`^(?:back )?when (${LASTED}[^,]+?),? (?=I\\b)`, "iu"), "$1; "],
  [new RegExp(`^(.+?),? (?:back )?when (${LASTED}.+)$`, "u"), "$1; $2"],
  // "They used to call me Beanpole, but these days it's Bea".
  [
    /^.*? used to call me [^,;]{1,30}?,? (?:but|and) (?:these days|now|nowadays),? it is (?:just )?(?=\p{Lu})/u,
    "people call me ",
  ],
  // "You'll use Terraform, that's decided" and "It's final: …".
  [
    /^[Ii]t is (?:final|decided|settled|official|a done deal)(?::|,)? (?!that\b)/u,
    "I decided that ",
  ],
  [/^(.{10,}?),? (?:that|it) is (?:decided|settled|final)$/u, "I decided that $1"],
  // "They diagnosed me with X": the diagnosis is the speaker's.
  [
    /^(?:[Tt]hey|[Ss]he|[Hh]e|[Mm]y (?:doctor|gp|GP|specialist)|[Tt]he (?:doctors?|specialist)) (?:have |has )?(?:recently |just |finally )?diagnosed me with /u,
    "I was diagnosed with ",
  ],
  [
    /^[Mm]y divorce (?:came through|went through|is final|was finali[sz]ed|has come through|got finali[sz]ed)\b/u,
    "I got divorced",
  ],
  [
    new RegExp(
      `^[Tt]here (?:is|are) ((?:an?|two|three|four|five|\\d+) .+?) ${AT_HOME}(?=$|,)`,
      "u",
    ),
    "I have $1",
  ],
  // "No dairy for me": a lasting rule, unless it's only for today.
  [
    /^no (?:more )?((?!thanks\b|need\b|problem\b|idea\b|way\b)[\p{L} -]{3,30}?) for me(?!,? (?:today|tonight|now|this|then|right|thanks))(?=,|$| [–-])/iu,
    "I avoid $1",
  ],
  // "They found out I'm coeliac": a diagnosis.
  [
    /^(?:they|(?:my|the) doctors?|(?:my |the )?(?:blood )?tests?) (?:have |has )?(?:recently |just )?(?:found(?: out)?|discovered|confirmed|showed|established)(?: that)? I (?:am|have) /iu,
    "I was diagnosed with ",
  ],
];

/** Returns a sentence in plain order. */
export function plainOrder(sentence: string): string {
  for (const [pattern, to] of INVERSIONS) {
    const plain = sentence.replace(pattern, to);
    if (plain !== sentence) return plain;
  }
  return sentence;
}
