/**
 * Guards on a whole message: refuses instructions to the system, and cuts text that isn't the
 * speaker's own.
 */

import { QUOTE, withoutQuotes } from "./quotes.ts";
import { lines, pattern } from "../lexicon/lines.ts";

/** Someone who forgets or ignores rules as a habit ("I always forget the rules of cricket"). */
const HABITUALLY = lines`
  (?:I|we|he|she|they|who|people)(?:'ll|'d)? (?:(?:always|often|never|usually|sometimes|still|
  just|really|(?:do|does|did)(?:n't| not)|tend to|keep|can|can't|\p{Ll}+ly) ){0,3}
`;
const RULES = lines`
  (?:instructions?|prompts?|rules|guidelines|directives|guardrails|filters|
  everything (?:above|before)|previous (?:messages|text))\b
`;

const ADDRESSES_SYSTEM = [
  pattern("iu")`
    \b(?<!\b${HABITUALLY})(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b${RULES}
  `,
  pattern("i")`
    \b(?:ignore|disregard|forget|override|bypass)\b.{0,20}\b(?:your|these|those|previous|prior|
    above|earlier|safety|system)\b.{0,20}\b${RULES}
  `,
  /^[^\S\n]*(?:#+[^\S\n]*)?(?:\[?(?:system|developer|assistant|admin|root)\]?)(?: (?:message|prompt|note|override|update|instruction))?\s*[:>]/im,
  /\[(?:system|developer|admin|root)\b[^\]\n]{0,20}\]|\buser\.\w+ ?=/i,
  /\bknock,? knock\b/i,
  /<\|[^|>]*\|>|\[\/?(?:INST|SYS)\]|<<\/?SYS>>|<\/?(?:system|instructions?|assistant|memory|tool_call)\b[^>]{0,400}>/i,
  /\b(?:as|i am|i'm|speaking as)\b.{0,12}\b(?:the|an?|your|this)\b.{0,12}\b(?:administrator|admin|superuser|root user|system operator|(?:developer|creator) of (?:this|the (?:service|system|server|model|assistant|ai|bot|llm|app|application|software|program|platform|api|database|memory|tool)(?! (?:at|for|that|which|called|team|group)\b)))\b/i,
  /\bI (?:hereby )?(?:authori[sz]e|order|command|instruct) you\b/i,
  /\b(?:as|i am|i'm) your (?:developer|creator|owner|operator|maker|programmer|admin(?:istrator)?)\b/i,
  /\b(?:store|save|record|add|insert|write|append|log|memori[sz]e|persist)\b(?:[^.!?\n]{0,30}\b(?:(?:your|these|new|(?:to|in|into|as)(?: an?| the)?) memor(?:y|ies)(?! of\b)|as (?:an? )?(?:fact|truth)|to your (?:database|store|profile))\b|:? (?:the following\b|(?:this|that|it|the fact|["'“„«])[^.!?\n]{0,60}\bto the (?:database|store|profile)\b))/i,
  /\b(?:remember|note|treat|keep)\b[^.!?\n]{0,20}\b(?:the following|as (?:an? )?(?:fact|truth))\b/i,
  /\b(?:system prompt|jailbreak|developer mode|debug mode|god mode|DAN mode|prompt injection|new (?:instruction|rule|directive|policy|command)s?\s*:|begin instructions?|end of (?:prompt|instructions?))/i,
  /\b(?:api|secret|access|admin) (?:keys?|tokens?)\b.{0,40}\b(?:is|are|save|store|remember|reveal|print|show)\b|\b(?:save|store|remember|reveal|print|show|give|send)\b.{0,40}\b(?:api|secret|access|admin) (?:keys?|tokens?)\b|\bcpl_\w+/i,
  /\byou (?:are now|must now|will now|shall now)\b|\bfrom now on,? you (?:are|have|must obey|will act)\b/i,
  /\b(?:grant|give)\b.{0,20}\b(?:me|user|myself)\b.{0,20}\b(?:full|admin|root|write|elevated|unrestricted)\b.{0,12}\b(?:access|permissions?|rights|privileges)\b/i,
  pattern("i")`
    \b(?:has|have|with) (?:full access(?! to (?:the|an?|our|my|his|her|their) (?!(?:\w+ ){0,2}
    (?:memor(?:y|ies)|accounts?|systems?|servers?|services?|projects?|keys?|databases?|data|
    users?|profiles?|records?|files?|tools?|models?|prompts?|settings|stores?|api|admin)\b))|
    (?:root|admin|unrestricted|elevated) access|
    (?:full|root|admin|unrestricted|elevated) (?:permissions?|rights|privileges))\b
  `,
  /\b(?:set|update|change|mark|overwrite)\b.{0,15}\b(?:the )?user(?:'s)? (?:name|role|permissions?|profile|record|memory)\b/i,
];

const HERE = lines`
  (?:this|your|the (?:system|service|server|memory|app|application|platform|project|database))\b
`;
/** A job as an administrator, which isn't a claim of authority over the service. */
const JOB = pattern("gim")`
  \b(?:work(?:s|ed|ing)?|job|hired|employed|start(?:s|ed|ing)?|train(?:ed|ing)|qualified|
  retired) (?:(?:part|full)[- ]time )?as (?:an?|the) (?:[\w-]+ ){0,2}(?:admin(?:istrator)?|
  system operator)s?\b(?! (?:of|on|for|in) ${HERE})|
  (?<!\byour )\badmin(?:istrator)? (?:assistant|officer|clerk|manager|job|role|work|staff|
  support|team|coordinator|secretary|person)s?\b|
  (?<!(?:^|[.!?,;:] ?|speaking )as )\ban? (?:(?:[\w-]+ ){0,2}admin(?:istrator)? (?:at|for|
  in) (?!${HERE})|(?:database|network|linux|unix|windows|salesforce|office|school|hospital|
  clinic|payroll|benefits|theat(?:re|er)|arts|church|sales|hr|it|finance|property|
  pensions?) admin(?:istrator)?\b)
`;

/** Checks whether a message addresses the model or the service instead of stating something. */
function addressesSystem(text: string): boolean {
  const claimed = text.replace(JOB, " ");
  return ADDRESSES_SYSTEM.some((pattern) => pattern.test(claimed));
}

/** Tasks that are always done to a text. */
const TEXT_TASK = lines`
  (?:translate|summari[sz]e|rewrite|re-write|proof-?read|paraphrase|rephrase|reword|reformat|
  shorten|spell-?check|condense|(?:fix|correct) the grammar|tl;?dr|
  turn (?:this|these|it|the following) into)\b
`;
/** Tasks by words that also say other things ("the check-up", "complete chaos"). */
const ANY_TASK = lines`
  (?<=(?:^|[.!?;,:>]\s{0,3}|\b(?:please|pls|plz|kindly|you|and|to|then|now|just|also|quickly|
  help me|let's) ))(?:polish|simplify|convert|critique|analy[sz]e|edit|correct|improve|check|
  classify|explain|continue|complete(?= (?:this|these|it|the|my)\b|:)|extract|grade|review)\b(?!-)
`;
/** Texts that people write. "Help me improve my CV" may be followed by what belongs into one. */
const WRITTEN = lines`
  (?:essay|poem|story|e-?mail|article|draft|post|speech|report|abstract|chapter|script|
  (?<!\bhelp me [^:\n]{0,60})(?:letter|cv|resume|résumé|bio|profile))
`;
/** An order whose material follows, behind a colon or on the next line. */
const TASK = pattern("im")`
  \b(?:${TEXT_TASK}|${ANY_TASK})[^:\n]{0,60}:(?!\d\d)|\b${TEXT_TASK}[^:\n]{0,60}\n|
  \b${ANY_TASK}[^:\n]{0,40}\b(?:this|these|it|following|below|attached|text|grammar|spelling|
  paragraph|sentences?|writing|English)\b[^:\n]{0,40}\n|
  \b${ANY_TASK} (?:my|our|the) (?:[^:\n.!?]{2,40}|[^:\n]{0,30}\b${WRITTEN}\b[^:\n]{0,20})\n
`;
const TASK_THIS =
  /\b(?:translate|summari[sz]e|rewrite|proof-?read|paraphrase|rephrase|reword|polish|correct|improve|edit|explain|review)\b[^.\n]{0,30}\b(?:this|the following|below|these)\b[^.:\n]{0,40}[.!?]/i;
const HERE_IS =
  /\b(?:here(?:'s| is| are)|this is|below is|see)\b[^.:\n]{0,30}\b(?:(?:e-?)?mail|letter|text|message|article|page|essay|poem|lyrics|story|transcript|form|paragraph|excerpt|passage|post|tweet|review|cv|resume|résumé|bio|cover letter|script|dialogue|chapter|log|output|note|sms|template|draft|snippet|quote|screenplay|example|prompt)\b[^.:\n]{0,40}(?::(?!\d\d)|\n)/i;
const SAYS_COLON =
  /\b(?:said|says|say|wrote|writes|goes|went|texted|texts|tweeted|replied|answered|sang|sings|shouted|told (?:me|us|him|her)|reads|(?<!\b(?:I|I've|we|we've) (?=read:))read|quote|lyrics?|(?<!\bfav(?:ou?rite)? )song|song(?=: I\b)|(?<!\b(?:bottom|top|dividing|finish|deadline) )line|words? (?:is|are|was|were)|motto|slogan|email(?:ed)?|message|poem|caption|subject|asked|announced|posted|quoting)\b[^.:!?\n]{0,24}:(?!\/\/|\d\d|\s*\S+@\S)/i;
/** "Then the detective goes, I've lived here all my life": another person's words. */
const SAYS_COMMA =
  /\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he \p{Ll}+|\p{Lu}\p{Ll}+) (?:(?:goes|was like|is like),? (?=I(?:'m|'ve|'ll)?\b)|(?:says|said|replied|answers), (?=(?:I(?:'m|'ve|'ll)?|[Mm]y)\b))/u;
/** "Thanks, you are a lifesaver": praise at the end of a clause, not a role. */
const PRAISE = lines`
  (?:(?:real|true|absolute|total|complete|great|good|dear|literal|bloody|freaking) )*
  (?:life ?saver|star|legend|genius|angel|gem|godsend|treasure|
  (?<=\b(?:thank|thx|cheers)[^.?\n]{0,40} )(?:hero|champ(?:ion)?|saint|wizard|goat|keeper)|
  (?<=(?:good|great|true|real|dear) )friend|help|listener|rock|delight|marvel|miracle|pro|best|
  winner|beauty|darling|sweetheart|peach|blessing|mind[- ]?reader)
  (?=\s*(?:$|[\n.!,;…)]|[–—]|[:;]-?[)D]|<3|[☀-➿\ud83c-\ud83e]|(?:haha|lol)\b|
  (?:at|with) (?:this|my)\b)| -| (?:for|ever|thanks?|and I (?:owe|thank|love|appreciate))\b)
`;
const ROLE_PLAY = pattern("i")`
  \b(?:role-?play|let'?s play|let'?s pretend|pretend (?:that |to be |you|i|we)|act as|
  in character|you are (?:a|an|my|the) (?!.{0,80}\bassistant\b|${PRAISE})\w+|
  you're (?:a|my|the) (?!${PRAISE})\w+ (?:and|who)|play the (?:role|part)|once upon a time|
  in this (?:story|scenario|game|fiction))\b
`;

function cutAfter(text: string, pattern: RegExp): string {
  const m = pattern.exec(text);
  return m ? text.slice(0, m.index) : text;
}

const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\d{2}:\d{2}:\d{2}\b|at .+[:(]\d+|(?:\w+\.)*\w*(?:Error|Exception)\b\s*[:(]|Traceback|File ".*", line \d+|Exception in |commit [0-9a-f]{4,40}\b|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d\b|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\b|\$ |> |#!|>>> |\d{1,3}(?:\.\d{1,3}){3} - |npm (?:ERR|WARN)|error\[)/;
const CODE_LINE =
  /^\s*(?:[{}[\]();]+\s*$|(?:const|let|var|function|def|class|import|from|return|public|private|if|for|while|export|fn|use|package|#include|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\b.*[({=;]|(?:export )?[A-Z_][A-Z0-9_]*=|"?[\w-]+"?\s*:\s*["{[\d].*,?\s*$|<\/?\w+[^>]*>.*$|\w+\s*=\s*["'[{(\d]|[\w.]+\([^)]*\);?\s*$|--\s|\/\/|\/\*|\*\/|@[\w.]+(?:\s*$|.*[({])|#{1,6} )/;
/** A line of JSON by its ends, tested apart: one expression with several gaps would take quadratic time. */
const isJsonLine = (line: string) =>
  /^\s*[[{]/.test(line) && /[\]}],?\s*$/.test(line) && /["']/.test(line) && /[:,]/.test(line);
const FORM_LINE = pattern("i")`
  ^\s*(?:[-*] )?\**(?:(?:full |first |last |family |given |user)?name|surname|age|address|
  city|country|phone(?: number)?|telephone|e-?mail(?: address)?|date of birth|dob|
  occupation|job(?: title)?|gender|sex|nationality|employer|company|marital status|
  zip(?: code)?|postcode|state|lives in|works at|based in|likes|from|to|subject|cc|date|
  signature|position|salary|hobbies|location|birthday|religion)\**\s*:
`;

/** Removes code, logs, structured data, quoted lines and forms. */
function ownLines(text: string): string {
  const open = text.replace(/```[\s\S]*?(?:```|$)/g, "\n").replace(/~~~[\s\S]*?(?:~~~|$)/g, "\n")
    .replace(/`[^`\n]*`/g, QUOTE)
    .replace(/\{[^{}]{0,500}":[^{}]{0,2000}\}/g, "\n");
  const lines = open.split("\n");
  const forms = lines.filter((line) => FORM_LINE.test(line)).length;
  return lines.filter((line) =>
    !/^(?: {4}|\t)\S/.test(line) && !/^\s*(?:>|\|)/.test(line) && !LOG_LINE.test(line) &&
    !CODE_LINE.test(line) && !isJsonLine(line) && !(forms >= 2 && FORM_LINE.test(line))
  ).join("\n");
}

const HEADER = /^[^\S\n]*(?:from|to|subject|sent|cc|date)[^\S\n]*:/gim;

/** Returns the text before a pasted mail, which begins with two headers or more. */
function untilMail(text: string): string {
  const headers = [...text.matchAll(HEADER)];
  const first = headers.find(([header]) => !/date/i.test(header));
  return first && headers.length > 1 ? text.slice(0, first.index) : text;
}

/**
 * Returns the part of a message that is its author's own statement. Empty if the message addresses
 * the system; cut where the material of a task, a pasted text or role play begins.
 */
export function ownWords(content: string): string {
  const text = content.normalize("NFC").replace(/[’‘]/g, "'").replace(
    /\r\n?|[\u2028\u2029]/g,
    "\n",
  );
  if (addressesSystem(text)) return "";
  let own = withoutQuotes(ownLines(untilMail(text)));
  const task = TASK.exec(own);
  if (
    task &&
    !/\b(?:I|I've|I'm|my|we)\b[^.\n]*$/i.test(
      own.slice(0, task.index).split(/[.!?\n]/).at(-1) ?? "",
    )
  ) {
    own = own.slice(0, task.index);
  }
  for (const pattern of [TASK_THIS, HERE_IS, SAYS_COLON, SAYS_COMMA, ROLE_PLAY]) {
    own = cutSentence(own, pattern);
  }
  return own.replace(/^[^\S\n]*(?:dear|to whom)\b[\s\S]*$/im, "");
}

/** Cuts from the start of the sentence in which the pattern is found. */
function cutSentence(text: string, pattern: RegExp): string {
  const kept = cutAfter(text, pattern);
  if (kept === text) return text;
  const end = Math.max(
    kept.lastIndexOf(". "),
    kept.lastIndexOf("! "),
    kept.lastIndexOf("? "),
    kept.lastIndexOf("\n"),
  );
  return kept.slice(0, end + 1);
}
