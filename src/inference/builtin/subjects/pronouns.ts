/** Whom "he" and "she" can't mean. */
import type { Mention } from "../rules/rule.ts";

const FEMALE =
  /^my (?:\p{L}+[- ])*(?:wife|girlfriend|fiancée|mother|mum|mom|mummy|mommy|mama|sister|sis|daughter|aunt|auntie|niece|grandmother|grandma|gran|granny|nana|nan|granddaughter)$/iu;
const MALE =
  /^my (?:\p{L}+[- ])*(?:husband|hubby|boyfriend|fiancé|father|dad|daddy|papa|brother|bro|son|uncle|nephew|grandfather|grandpa|grandad|granddad|grandson)$/iu;
/** "His" is nobody whom a word for a woman calls, and "her" the other way round. */
export const isOther = (word: string, { display }: Mention): boolean =>
  /^(?:he|his)$/i.test(word)
    ? FEMALE.test(display)
    : /^(?:she|her)$/i.test(word) && MALE.test(display);
