/** Recognizes what a message asks to remember. */

import { pattern } from "../lexicon/lines.ts";

/** "Remember that …", "note: …", "for the record, …", at the start of a sentence. */
const AT_START = pattern("i")`
  ^(?:(?:please|and|also|oh|hey|ok|okay|so|but),? )*(?:((?:can|could|will) you )?(?:please )?
  (?:remember|keep in mind|bear in mind|(?:make|take) (?:a )?note|note(?: down)?|
  (?:do(?:n't| not)|not) forget)(?: for me)?(?: that |: ?|, )|(?:note(?: to self)?|memo|
  for the record|for future reference|for your records)\s?[:,–—-] ?)(?=\S+ \S+ \S)
`;

/** The same in the other languages that are read. */
const IN_OTHER_LANGUAGES = [
  /^(?:bitte )?(?:(?:merke?|notiere?) dir|denk(?:e? bitte)? daran|vergiss(?: bitte)? nicht|notiere?)(?: bitte)?(?:, dass |: ?)/i,
  /^(?:por favor,? )?(?:recuerda|acuérdate de|ten en cuenta|ten presente|anota|apunta|no (?:te )?olvides(?: de)?)(?: que |: ?)/i,
  /^(?:s'il te plaît,? )?(?:souviens-toi|rappelle-toi|retiens|note bien|note(?= que)|n'oublie pas)(?: que | (?=qu'il|qu'elle|qu'on)|: ?)/i,
  /^(?:por favor,? )?(?:lembra(?:-te)?|lembre(?:-se)?|anot[ae](?: aí)?|tem em conta|não (?:te |se )?esqueç?[ac]s?)(?: de)?(?: que |: ?)/i,
  /^(?:per favore,? )?(?:ricorda(?:ti)?|annota(?:ti)?|segna(?:ti)?|tieni (?:a mente|presente)|non dimenticare)(?: che |: ?)/i,
] as const;

/** Start of a statement ("remember that time" has none). */
const STATEMENT =
  /^(?:(?:[Ii]|[Mm]y|[Ww]e|[Oo]ur|[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Tt]here|[Tt]he)\b|\p{Lu})/u;

/** "…, remember that", at the end of a sentence or alone. Questions count only with "can you". */
const AT_END = pattern("i")`
  (?:^|[.,;–—-] ?| and (?=please|pls|plz|can you|could you))(?:(?:please|pls|plz|and|so|just|also|ok|okay),? ?)*
  (?:(?:can|could|will|would) you (?:please )?|(?!.*\?))(?:remember|keep(?= \w+ in mind)|
  note|make (?:a )?note of|take note of) (?:that|this|it)(?: in mind| down)?(?:,? (?:for me|
  for (?:later|next time|the future)|please|ok(?:ay)?|thanks?))*[\s.!?]*$
`;

/** Max length of a sentence that is only a request. */
const MAX_REQUEST_CHARACTERS = 120;

/** Checks whether a sentence begins with a request to remember it. */
export function asksToRemember(text: string): boolean {
  return AT_START.test(text);
}

/** Checks whether a sentence asks to remember the one before it, and says nothing else. */
export function isRequestAlone(text: string): boolean {
  return text.length <= MAX_REQUEST_CHARACTERS && AT_END.exec(text)?.index === 0;
}

/** Returns a sentence without the request to remember it. Others are returned unchanged. */
export function withoutRequest(text: string): string {
  for (const request of IN_OTHER_LANGUAGES) {
    const rest = text.replace(request, "");
    if (rest !== text && /\S \S/.test(rest)) return rest;
  }
  const end = AT_END.exec(text);
  if (end) return text.slice(0, end.index);
  const [request = "", isAsked] = AT_START.exec(text) ?? [];
  const rest = text.slice(request.length);
  if (!request || /\?\W*$/.test(text) && !isAsked) return text;
  return (isAsked || /that $/i.test(request)) && STATEMENT.test(rest)
    ? rest.replace(/\?\W*$/, "")
    : text;
}
