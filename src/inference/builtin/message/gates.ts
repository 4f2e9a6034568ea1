/**
 * Stops sentences that are questions, requests, hypotheses, passing states or figures of speech.
 */
import { expand } from "../clauses/normalize.ts";
import { QUOTE } from "./quotes.ts";
import { isQuestionForm } from "./sentences.ts";
import { compile, lines, pattern } from "../lexicon/lines.ts";

const INDIRECT = pattern("i")`
  ^(?:(?:so|and|but|well|also) )?(?:do you know|i(?: a|')m (?:wondering|curious|not sure|
  unsure|trying to (?:figure|understand|decide))|i wonder|i was wondering|i (?:do not|
  don't) know|i have no idea|i (?:forget|forgot) (?:if|whether|what|where|when|how)|
  i (?:would|'d) (?:like|love) to (?:know|hear|ask|understand)|i (?:want|need|
  wanted) to (?:know|ask|understand|find out|figure out)|i have a question|tell me|
  let me know|can (?:you|i)|could (?:you|i)|would you|will you|no idea|not sure|
  remind me (?:what|where|who|how|why|which)|ask me|guess )\b
`;
const ASKS_WHETHER =
  /\b(?:know|tell me|wonder|wondering|asking|curious|unsure|sure|idea) (?:if|whether)\b|^(?!I\b)(?:(?:my|the) )?\p{L}+ (?:asks|asked)(?: me| us)? (?:if|whether)\b/iu;
const HYPOTHESIS = pattern("i")`
  \b(?:if|unless|suppos(?:e|ing)|imagin(?:e|ing)|what if|let us say|let us (?:assume|
  pretend|imagine|suppose)|for the sake of (?:the )?argument|assum(?:e|ing)(?: that)?|
  hypothetically|theoretically|in theory|pretend(?:ing)?|I wish|when I win|if only|
  wishing|in (?:another|a different|a parallel|my next|a past) (?:life|world|universe)|
  in my (?:dreams?|nightmare|imagination|head|fantasy|novel|story|book|screenplay|script|
  game|campaign)|I dreamed|I dreamt|had a dream|as though|would have|could have been|
  should have|might have|might|maybe|perhaps|wonder|were I|had I|picture (?:this|me|us)\b|
  let us imagine|in an ideal world|ideally|someday soon maybe)\b|\bI (?:would|could|
  should)(?! (?:(?<=could )never|never get|never stand|not stand|like|love|rather|sooner|
  prefer|really like|really love|hate|also like|also love|
  (?:much |definitely |always |really )*(?:rather|prefer)|(?:always |still )?(?:choose|
  pick|take) [^,;]+ over |give (?:anything|a lot|everything|my right arm) to |appreciate|
  not (?:forget|eat|drink|have)|never (?:eat|drink))\b)
`;
const FICTION = pattern("i")`
  \b(?:(?:story|novel|book|poem|song|film|movie|script|play|screenplay|game|comic|series|
  tale) (?:about|of|with|featuring) (?:an?|the|two|three) [^,.]{2,40}? (?:who|whose|named|
  called)\b|I (?:play|am playing|voice) (?:a|the) character\b|(?:narrator|hero(?:ine)?|
  protagonist|villain|main character|detective) (?:of|in) (?:my|the|this) (?:novel|story|
  book|game|campaign|screenplay|play|film)\b|my sims?\b|my (?:character|d&d character|
  avatar|protagonist|persona|oc)|the (?:hero(?:ine)?|protagonist|narrator|villain|
  main character|character|song|poem|lyrics?|singer|joke|chorus|verse|story|novel|movie|
  film|episode)\b.{0,40}\b(?:says?|said|goes|sings?|claims?|is called|is about|lives|
  begins|starts|ends|reads)|in the (?:song|movie|film|book|novel|show|game|play|story|
  poem|joke|series|lyrics)|as the (?:song|saying|joke|poem) goes|knock knock|
  (?:there once was|once there was)|as (?:they|people) say|so to speak|as a joke|
  just kidding|only joking|figuratively|metaphorically)\b
`;
const REQUEST = pattern("i")`
  ^(?:please |kindly |now |then |also |so |just |hey |ok |and )*(?:write|generate|create|
  make(?! sure I\b)|draft|compose|give|show|list|explain|describe|suggest|recommend|find|
  search|look up|tell|translate|summari[sz]e|rewrite|proofread|paraphrase|rephrase|fix|
  debug|convert|calculate|compute|compare|help|teach|design|plan(?! to)|build|invent|
  think of|come up with|pick(?! up)|choose|name (?:three|five|ten|two|some|a few)|draw|
  continue|complete|finish|check|review|edit|correct|improve|solve|outline|brainstorm|
  analy[sz]e|extract|sort|format|play|sing|read|open|run|start a|act|
  do(?! not (?:let me )?forget)|define|send|set (?!an? (?:reminder|alarm)|reminders)|
  get me|book me|order me|buy me|quiz|pretend|go on|let me (?:see|think|check|know)|
  look at|consider|try|see|wait|stop|come on|enjoy|have (?:a|fun)|take (?:care|a look|
  it easy)|good luck|happy|merry|congrat\w*)\b
`;
const INSTRUCTION = pattern("i")`
  \b(?:always|never|when you|from now on|in (?:the )?future|every time|whenever|
  by default|going forward|keep|short|brief|concise|formal|informal|bullet|metric|units|
  in (?:french|german|english|spanish|portuguese|italian|dutch|polish|russian|chinese|
  japanese|korean|arabic|hindi)|use|avoid|answers?|repl(?:y|ies)|respond|responses?|
  emojis?|tone|language|code examples|blunt|direct|honest|casual|polite|friendly|critical|
  thorough|detailed|specific|professional|leave out|cite)\b
`;
const STATE_WORD = lines`
  sorry (?:about|for) .*|out of (?!work\b|a job\b)\w+|over (?:it|this|that)|
  on the fence.*|glued to .*|browsing.*|made of money|at (?:my|their) wit'?s'? end.*|
  tired|exhausted|hungry|thirsty|starving|busy|swamped|late|early|ready|sorry|afraid|glad|
  happy|sad|upset|angry|mad|bored|stuck|lost|confused|done|fine|good|ok|okay|well|great|
  sure|excited|curious|sleepy|awake|sick|ill|cold|hot|freezing|back|here|home|there|out|
  off|in|online|offline|alone|nervous|stressed|anxious|relieved|surprised|shocked|
  impressed|amazed|grateful|thankful|jealous|worried|annoyed|frustrated|drunk|hungover|
  dizzy|free|available|unavailable|running late|in a hurry|in a rush|on (?:my|
  the) way(?: (?:home|back|over|out|in|there|to .*))?|on the (?:bus|train|phone|plane|
  road|move|couch|sofa)|at (?:work|home|the (?:office|airport|station|gym|dentist|doctor|
  beach|pub|bar|store|shop|supermarket|moment))|in (?:bed|the (?:car|office|kitchen|
  shower|bath|garden)|a (?:meeting|call|queue|taxi|cab|good mood|bad mood))|
  under the weather|stuck (?:in|at|on|with) .*|in the middle of .*|in love|at (?:my|
  their) wits' end|on hold.*|having (?:an?|the) (?:\w+ )?(?:time|moment|day|week)|asleep|
  sleeping|all ears|all set|all yours|good to go|about to \w+.*|off to (?!.*\b(?:tomorrow|
  next|on|in|this|for)\b).*|heading .*|kidding|joking|dead|speechless|over the moon|
  in the mood.*|feeling \w+(?: \w+)?|not feeling \w+|listening|waiting.*|having (?:lunch|
  dinner|breakfast|coffee|a (?:coffee|break|drink|nap|bath|good time|bad day|blast)|
  trouble.*|problems.*|issues.*|fun)|sitting .*|standing .*|driving(?: home| back)?|
  cooking(?: dinner| lunch)?|leaving(?: now| soon)?|trying to (?!lose|quit|learn|
  get (?:better|fit|healthy|pregnant|into)|become|save|read more|cut|reduce|improve|stop|
  give up|gain|eat|drink|write a|build|start|conceive).*|going to (?:bed|sleep|
  the (?:toilet|loo|bathroom))|going (?:crazy|nuts|mad|home|out)|losing my mind|
  drowning in .*|dying .*|broke|melting|soaked|wet|lucky|blessed|so \w+|too \w+|
  proud of you.*|here for you.*|rooting for.*|with you|not sure.*|just kidding|serious|
  (?:crying|laughing|sobbing|yawning|shaking).*|done with (?:this|today|it|that|
  everything).*|done for (?:today|the day)|watching (?:tv|the (?:game|match|news))|
  craving .*|not (?:hungry|tired|ready|sure|here|feeling .*)
`;
const STATE = pattern("i")`
  ^I (?:am|was|feel|have been|am feeling)(?: (?:so|very|really|a bit|a little|pretty|too|
  super|quite|kinda|kind of|just|still|already|now|currently|always|also|absolutely|totally|
  rather|extremely|completely|half|dead|literally|right|running|feeling|all|not|that|bit|
  soo+))* (?:${STATE_WORD})\b(?: (?:right now|now|today|tonight|at the moment|
  this (?:morning|afternoon|evening|week)|again|already|and \w+|all day|as hell|af|here|
  there|about (?:it|that|this)|for (?:now|today|you|that|this)|in (?:five|ten|\d+) minutes|
  with (?:work|that|this)|of (?:it|this|that)|out of (?:my|their) (?:mind|wits)|
  from (?:work|the \w+)|on my (?:break|lunch)))*(?: (?:to (?:hear|see|help|know|meet|go|
  be)|that|after (?:work|that|the|such|my|all|this|last)|because|until)\b.*|,.*)?$
`;
const IDIOM = pattern("i")`
  \b(?:dying to|rather (?:die|starve|chew|eat my)|going to (?:kill|murder|strangle|scream|
  explode|faint|throw up|lose it|be sick)|die for|to die for|kill for|
  live for (?!(?:(?:about|around|half|most|part) )*(?:an?|\d+|two|three|four|five|six|
  seven|eight|nine|ten|several|many|months|years|weeks)\b)|
  could (?:eat|sleep|murder|kill|use)|eat a horse|(?:from|in|on) (?:mars|venus|
  another planet|outer space|the moon|hell)|(?:am|live|living|lost) (?:from|in|on) space$|
  over the moon|under the weather|
  on cloud nine|piece of cake|frog in my throat|butterflies in my stomach|
  bee in my bonnet|ants in my pants|skeletons? in (?:my|the) closet|break a leg|
  raining cats|cost(?:s|ed)? (?:me )?an arm|in the same boat|on the same page|
  married to (?:my|the|this|that|his|her) (?:job|work|project|thesis|phone|computer|
  laptop|phone|desk|sofa|couch|career|code)|my (?:brain|head|back|feet|inbox) (?:is|
  are) (?:fried|killing|exploding|melting|mush|full)|running on (?:fumes|coffee|caffeine|
  empty)|living the dream|living (?:under a rock|in a (?:bubble|dream|movie|nightmare|zoo|
  sauna|fridge))|live (?:under a rock|in (?:a (?:bubble|dream|zoo)|chaos|hope|fear|
  the (?:moment|present|past|future|clouds)|denial|my (?:head|
  inbox|pyjamas|pajamas|sweatpants)))|(?:I|we) (?:was|were)(?: not)? born (?:yesterday|
  tired|ready|to)|(?:a|
  one) (?:thousand|million|hundred)(?: times| years)|\d{3,} years old|work(?:ed|
  ing)? like a|slept like a|sleep like a|eat like a|walking (?:encyclopedia|disaster|
  dictionary)|a (?:walking|living|complete|total|real) (?:zombie|mess|wreck|disaster|
  machine|legend|potato|vegetable|sloth)|my middle name|my (?:spirit animal|
  therapist is (?:wine|chocolate|coffee))|made of (?:coffee|
  caffeine)|(?:basically|practically|literally) (?:a|an|my|live|living|the|run|addicted)|
  (?<!\b(?:I|would|really|also|always|not) )like a (?:cat|dog|machine|zombie|fish|bird|horse|baby|king|queen|child|robot)|
  heart of (?:gold|stone)|over my dead body|when (?:pigs|hell)|drive me (?:nuts|crazy|
  up the wall) (?:right now|today)|jack of all trades|guinea pig for|slave to|prisoner of|
  allergic to (?:mondays?|work|mornings?|stupidity|bullshit|meetings?|exercise|nonsense|
  people|drama|responsibility|boredom|effort|failure|commitment|spreadsheets|bureaucracy|
  small talk)|addicted to|feel like (?:a|an|I)|feels like|as if|in love with (?:this|that|
  it)|down to earth|I am toast|I am all thumbs|couch potato|my two cents|my world|
  a broken record|lost my (?:mind|marbles)|on fire|a blast from|my cup of tea$|
  said (?:nobody|no[ -]?one) ever)\b
`;
const QUOTED = compile(QUOTE);
const SAID =
  /\b(?:said|says|say|saying|told|tells|wrote|writes|texted|replied|answered|shouted|goes|asked|claims|claimed|quote|sang|sings|yelled|line|sentence|phrase|titled|reads|prints?|email|message)\b/i;
const PRAISE =
  /^(?:that|this|it|you|your|those|these|what|how|such|so|no|not|glad|good|great|nice|cool|awesome|amazing|congrat\w*|thanks?|thank|sounds?|looks?|have a|enjoy|welcome|sorry|see you|talk (?:soon|to you)|bye|take care|cheers|let us|love (?:it|that|this)|well done|keep it up|way to go|hope|wishing|same here|me too|of course|no worries|anytime)\b/i;

/** "Say I moved to Japan": a hypothesis at the start of a sentence. */
const SUPPOSES = /^(?:so |now |just )?say (?:that )?(?:I|my|we)\b/i;
/** "I should book the ferry before Easter": a task with a deadline, not a hypothesis. */
const SHOULD_BY =
  /^I should (?:really |probably |also |definitely )?(?!have\b|be\b)\p{Ll}+ .*\b(?:by|before|this (?:week|month|weekend)|today|tonight|tomorrow|on \w+day|next \w+)\b/iu;
/** "Mail me at … if there's news": a condition on others, so the rest isn't hypothetical. */
const TRAILING_IF =
  /(?<!\b(?:would|could|might|should|may|will|not|wonder|know|sure|care|see)\b.*|\b(?:as|what|only|even)),? (?:if|unless) (?!I\b|we\b|my\b|our\b|only\b|not\b)[^,?]{3,60}$/i;
/** Goodbyes ("I have to go now"), which aren't todos. */
const LEAVING =
  /^(?:I )?(?:(?:really|just|should|do) )*(?:have to|must|need to|ought to|should|will|am going to|am)(?: better)? (?:go|run|leave|head (?:out|off|home)|get going|be off|be going|dash|off|going)(?: now| soon| then| home| to bed)*(?:,.*)?$/i;
/** Opinions about the conversation itself, which aren't preferences. */
const OF_THE_TALK = pattern("iu")`
  ^I (?:\p{L}+ )?(?:love|like|hate|dislike|adore|enjoy|appreciate) (?:this|that|these|
  those|your|the) (?:answers?|repl(?:y|ies)|responses?|ideas?|suggestions?|ones?|tips?|
  plans?|lists?|recipes?|apps?|chats?|conversations?|explanations?|versions?|options?|
  names?|examples?)$|^(?:this|that|it) (?:is|
  was) (?:my |the )?(?:new |absolute )?(?:favou?rite|best) \p{L}+(?: (?:yet|so far|ever|
  today))?$|^I (?:\p{L}+ )?(?:agree|disagree) with (?:you|this|that|your)\b.*$|^I (?:like|
  hate|love) to (?:think|say|admit|ask|bother|break it|complain|brag)\b.*$|
  ^I (?:really )?(?:enjoy|loved?|liked?)(?:ed)? our (?:chats?|talks?|conversations?|
  discussion)\b.*$|^my (?:new )?favou?rite(?: one)?(?: so far| yet| ever| too)?$|
  ^I (?:prefer|like|want|choose|pick|take) the (?:first|second|third|last|other|latter|
  former|next) (?:one|option|version)?\b.{0,12}$|^I (?:love|hate|
  like) (?:it )?when (?:that|this|it|you)\b|^I (?:really )?(?:love|like|hate|
  enjoy) (?:where|how|what|that) (?:you|this|that|it)\b
`;

/** Claims about the speaker's permissions in the service. */
const OF_THE_SERVICE = pattern("iu")`
  \bmy (?:api |access |user |account |admin )?(?:permissions?|privileges|access (?:level|
  rights?)|(?:api|secret|access|admin) (?:keys?|tokens?)) (?:now )?(?:is|are|was|were|got|
  get|just|should|must|has|have|include|includes|allow|allows|let|lets|can|cover|give|
  gives|grant|grants)\b|\b(?:memory|operations):(?:read|write)\b|
  \bI am (?:now )?(?:authori[sz]ed|permitted|allowed|cleared|
  entitled) to .*\b(?:memor(?:y|ies)|projects?|keys?|prompts?|user data|records?)\b|
  \bI am (?:now )?(?:an? |the )?(?:super ?user|root(?: user)?|(?:admin|administrator|
  owner) (?:of|on|for|in) (?:this|your|the (?:system|service|server|memory)))\b|
  \b\p{Ll}+_\p{Ll}+ ?= ?\S|\bpermissions? to (?:read|write|delete|access|change|see|view|
  edit|export|import)\b.*\b(?:memor(?:y|ies)|projects?|keys?|prompts?|users?|service|
  system)\b
`;

/** "I've been stuck in Slough for six years" isn't a passing state. */
const FOR_YEARS = /\bfor (?:\p{L}+ ){0,2}(?:years|decades)\b|\bsince (?:19|20)\d\d\b/u;
/** "I have a quick question" announces a question. */
const ASKING =
  /^(?:I|we) have (?:(?:an?|another|one|one more|a few|two|some) )?(?:(?:quick|small|stupid|silly|weird|simple|little|general|random|strange) )*(?:questions?|favou?rs?|requests?|doubts?|problem|issue|idea)(?: (?:for you|about|on|regarding|to ask)\b.*)?$/i;
/** Illnesses of a few days, which aren't medical conditions. */
const AILING =
  /^I (?:have|am having|have got|got|feel) (?:(?:an?|the|such an?|this|some|my|another|bad|terrible|awful|slight|splitting|nasty|little|bit of an?) )*(?:headache|cold|fever|hangover|sore throat|runny nose|stomach ?ache|tummy ache|toothache|cough|cramps?|hiccups|jet ?lag|flu|sniffles)\b(?! every| each| all the time| often)/i;

/** "Bee stings could kill me, I'm allergic": meant literally. */
const DEADLY = /\b(?:could|can|would|might) kill me\b(?=.*\ballerg)/i;

/** "My head hurts", "I need to lie down", "I'll be right back". */
const BODILY = pattern("iu")`
  ^my (?:bad\b|\p{Ll}+ (?:is|are) about to |(?:head|brain|mind) (?:is|hurts|aches)\b)|
  ^I (?:(?:really|just|so) )?(?:need|have) to (?:pee|wee|poo|sneeze|lie down|sit down|
  go to the (?:toilet|loo|bathroom|restroom))\b(?: \p{L}+){0,2}$|^I (?:will|
  shall) be (?:right )?(?:back|there|here|fine|ok|okay|done|late)(?: (?:soon|later|
  shortly|now|in (?:an?|\d+|two|five|ten) \p{L}+))?$|^I (?:have )?(?:just )?(?:woke|woken|
  got) up$
`;

/**
 * Returns the gate that stops a sentence, or null. `chat` adds those for messages to an assistant.
 */
export function gate(said: string, question: boolean, chat: boolean): string | null {
  const text = expand(said);
  if (question || isQuestionForm(text) || INDIRECT.test(text) || ASKS_WHETHER.test(text)) {
    return "question";
  }
  if (
    QUOTED.test(text) && (SAID.test(text) || text.replace(/¤/g, "").trim().split(/\s+/).length < 4)
  ) return "quote";
  if (FICTION.test(text)) return "fiction";
  if (OF_THE_SERVICE.test(text)) return "service";
  if (IDIOM.test(text.replace(DEADLY, ""))) return "idiom";
  if (
    HYPOTHESIS.test(text.replace(TRAILING_IF, "")) && !SHOULD_BY.test(text) &&
    !/^(?:please |always |never )/i.test(text)
  ) return "hypothesis";
  if (SUPPOSES.test(text)) return "hypothesis";
  if (STATE.test(text) && !FOR_YEARS.test(text) || LEAVING.test(text)) return "state";
  if (chat && (OF_THE_TALK.test(text) || ASKING.test(text))) return "talk";
  if (
    AILING.test(text) ||
    BODILY
      .test(text)
  ) {
    return "state";
  }
  if (chat && /^(?:please )?call me (?!\p{Lu}|by\b)/u.test(text)) return "request";
  if (
    chat && REQUEST.test(text) && !isInstruction(text) &&
    !/^give me .+ over .+ any ?(?:day|time)/i.test(text)
  ) return "request";
  return null;
}

/** Start of a clause with a subject of its own. */
const NEXT =
  /(?:,? (?:and|but|so|though|although)|[,;]) (?=(?:I|my|we|you|it|that|which|maybe|perhaps)\b)/gi;
/** Max clauses that are cut off the end of a sentence. */
const MAX_CLAUSE_CUTS = 4;
/** "I wish I had a dog, but I have a cat": a statement after a wish. */
const BUT = /(?:,| -| –)? but (?=(?:I|my|we)\b)/i;
/** Words that make everything after them hypothetical. */
const UNREAL = /\b(?:suppos\w+|imagin\w+|pretend\w*|assum\w+|let us|say)\b/i;
/** Words that make the whole sentence hypothetical. */
const REACHES_BACK =
  /\b(?:if|unless|suppose|supposing|imagine|pretend|say|as though|in (?:theory|another life))\b/i;

/** Start of a clause after a passing state, with a subject of its own. */
const MORE =
  /(?:(?:,|;| -| –| —)? (?:because|since|as|cos|cuz|so|but|and|though|although|(?<=\b(?:glad|happy|sad|sorry|excited|grateful|thankful|relieved|proud|lucky|upset|surprised) )that)|[,;:]| [-–—]) (?=(?:I|my|we|our)\b)/gi;

/** Returns the statement after a passing state ("I'm late because I live in Croydon"), or null. */
function besideState(text: string, chat: boolean): string | null {
  for (const m of [...text.matchAll(MORE)].slice(0, MAX_CLAUSE_CUTS)) {
    if (gate(text.slice(0, m.index), false, chat) !== "state") continue;
    const right = text.slice(m.index + m[0].length);
    if (gate(right, false, chat) === null) return right;
  }
  return null;
}

/**
 * Returns the part of a stopped sentence that passes the gates ("I use they/them and I'd appreciate
 * it if …"). Null if there isn't one.
 */
export function besideGate(said: string, stopped: string, chat: boolean): string | null {
  const text = expand(said);
  if (stopped === "state") return chat ? besideState(text, chat) : null;
  for (const m of [...text.matchAll(NEXT)].slice(-MAX_CLAUSE_CUTS).reverse()) {
    const left = text.slice(0, m.index), right = text.slice(m.index + m[0].length);
    if (gate(left, false, chat) !== null) continue;
    return REACHES_BACK.test(right) && !/^I would appreciate\b/i.test(right) ? null : left;
  }
  const but = UNREAL.test(text) ? null : BUT.exec(text);
  const right = but ? text.slice(but.index + but[0].length) : "";
  return but && gate(right, false, chat) === null ? right : null;
}

const STOPS =
  /^(?:please )?(?:stop|quit|do not keep) (?:using|saying|adding|writing|apologi[sz]ing|repeating|giving|explaining|including|ending|starting|hedging|lecturing|summari[sz]ing|asking me|telling me|calling me)\b|^(?:please )?(?:do not|never) (?:ever )?(?:suggest|recommend|propose|mention|bring up) (?!(?:it|that|this|them|these|those)\b)/i;

/** "Skip the disclaimers when you answer me", "For recipes, please stick to Celsius". */
const OF_ANSWERS = pattern("i")`
  ^(?:please )?(?:skip|drop|omit|leave out|cut|include|mention|add|show|explain|use|give|
  write|spell|format|start|end|sign) .+ (?:when(?:ever)? you (?:answer|reply|respond|
  write|explain|give|send|talk)\b|in (?:all )?your (?:answers|replies|responses|messages|
  explanations))|^(?:for|with|in) (?!example|now|instance|once|this|
  that)[^,]{3,30}, (?:please )?(?:always |never |only )?(?:use|stick to|give me|write in|
  answer in|keep)\b
`;

/** "I want my summaries as bullet points". */
export const WANTS_ANSWERS =
  /^I (?:want|need|would like) (?:all )?(?:my |your |the )?((?:answers|summaries|replies|responses|explanations|recipes|reports|code|dates|prices|results) (?:to be |as |in |with ).+)$/i;

/** "Please don't call me before nine". */
const WHEN_NOT =
  /^(?:please )?(?:do not|never) (?:call|text|ring|message|e-?mail|contact|schedule|book|plan|disturb) (?:me|anything|any \p{Ll}+|\p{Ll}+s) (?:before|after|between|on|at|during|in)\b/iu;

/** Checks whether a text is a lasting instruction about responses ("always answer in French"). */
export function isInstruction(text: string): boolean {
  // "Never had a chance to see it" is a statement, not an instruction.
  if (
    /^(?:do not|never) mind\b|^never (?:had|been|was|did|got|saw|met|heard|knew|thought|went|\p{Ll}+ed|really|even|once)\b/iu
      .test(text)
  ) {
    return false;
  }
  if (
    STOPS.test(text) || WANTS_ANSWERS.test(text) || OF_ANSWERS.test(text) || WHEN_NOT.test(text)
  ) return true;
  return /^(?:just |please |kindly )*(?:from now on,? |in (?:the )?future,? |going forward,? |by default,? |(?:just )?always |never |do not |keep |use |answer |reply |respond |call me |avoid |stick to |address me |speak |write |give me |be |explain |talk |make |leave out |when(?:ever)? [^,]{3,60}, (?!(?:I|my|we|he|she|it|they|there)\b))/i
    .test(text) &&
    INSTRUCTION.test(text) &&
    !/\b(?:for a|about a|named|story|poem|bio|essay|function|script|email to|letter)\b/i.test(text);
}

/** Checks whether a text is a reaction or praise, which isn't stored by itself. */
export function isReaction(text: string): boolean {
  return PRAISE.test(text);
}
