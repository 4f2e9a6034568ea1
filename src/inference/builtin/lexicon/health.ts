/** Conditions and medicines, with endings that identify those that aren't listed. */

import { compile, lines, pattern } from "./lines.ts";

/** Checks whether a noun phrase names a lasting medical condition. */
export function isCondition(phrase: string): boolean {
  const bare = phrase.trim().replace(/^(?:an?|the|mild|severe|chronic|bad|really bad)\s+/i, "");
  return CONDITIONS.test(bare) || CONDITIONS.test(phrase.trim()) ||
    /\w{3,}(?:itis|osis|emia|aemia|algia|opathy|plegia|phobia)$/i.test(bare);
}
/** Names of lasting conditions, as an alternation. */
export const CONDITION_NAMES = lines`
  (?:(?:chronic|severe|mild|seasonal|bad|clinical|social|recurring|frequent|
  generali[sz]ed)\s)?(?:asthma|(?:type [12] |type one |type two |gestational )?diabetes|
  adhd|add|autism|epilepsy|migraines?|eczema|psoriasis|arthritis|rheumatoid arthritis|
  depression|anxiety(?: disorder)?|bipolar(?: disorder)?|ptsd|ocd|insomnia|hypertension|
  high blood pressure|low blood pressure|high cholesterol|hay ?fever|
  co?eliac(?: disease)?|crohn'?s(?: disease)?|ibs|ibd|ulcerative colitis|fibromyalgia|
  tinnitus|vertigo|scoliosis|endometriosis|pcos|hypothyroidism|hyperthyroidism|
  hashimoto'?s|an(?:a)?emia|lupus|ms|multiple sclerosis|parkinson'?s(?: disease)?|
  alzheimer'?s|dementia|cancer|\w+ cancer|leuk(?:a)?emia|hemophilia|haemophilia|dyslexia|
  dyscalculia|dyspraxia|sleep apn(?:o)?ea|acid reflux|gerd|gout|glaucoma|cataracts|
  long covid|chronic fatigue(?: syndrome)?|raynaud'?s|tourette'?s|narcolepsy|back pain|
  chronic pain|sciatica|a heart (?:condition|murmur)|heart (?:condition|murmur|disease)|
  an? pacemaker|a? ?stutter|a? ?stammer|hearing loss|lactose intolerance|
  gluten intolerance|kidney (?:disease|stones)|carpal tunnel(?: syndrome)?|
  restless legs?(?: syndrome)?|vitiligo|rosacea|down syndrome|cystic fibrosis|
  sickle cell(?: disease)?|pots|mcas|(?:a )?bad (?:knees?|back|hip|heart))
`;
const CONDITIONS = compile(`^${CONDITION_NAMES}$`, "i");

/** Adjectives that name a condition ("I'm colour-blind"). */
export const CONDITION_ADJECTIVES =
  "colou?r[- ]?blind|(?:type (?:1|2|one|two) )?diabetic|hiv[- ]positive|asthmatic|epileptic|co?eliac|lactose[- ]intolerant|gluten[- ]intolerant|" +
  "dyslexic|an(?:a)?emic|short[- ]sighted|near[- ]sighted|nearsighted|far[- ]sighted|hard of hearing|" +
  "partially sighted|(?:legally |half )?blind(?= (?:in|on) )|deaf(?= (?:in|on) )|bipolar|h(?:a)?emophiliac|insomniac|immunocompromised|pre-?diabetic|" +
  "hypothyroid|arthritic|hypertensive|partially deaf|visually impaired|wheelchair[- ]bound";

const MEDICINES = pattern("i")`
  ^(?:\d+ ?m?c?g (?:of )?)?(?:(?:low-dose )?aspirin|ibuprofen|paracetamol|insulin|
  metformin|levothyroxine|naproxen|statins?|antidepressants?|antihistamines?|antibiotics|
  blood thinners?|beta[- ]blockers?|birth control(?: pills?)?|the pill|lithium|ritalin|
  adderall|concerta|vyvanse|prozac|zoloft|lexapro|xanax|ventolin|ozempic|wegovy|mounjaro|
  warfarin|prednisone|cortisone|melatonin|vitamin [a-z]\d*|iron (?:tablets|supplements)|
  methotrexate|humira|estrogen|oestrogen|testosterone|hormones|hrt|an inhaler|tamoxifen|
  eliquis|lyrica|synthroid|claritin|zyrtec|lamictal)$
`;
/** Endings that only drug names have. */
const DRUG_ENDING = pattern("i")`
  ^(?:\d+ ?m?c?g (?:of )?)?\w{3,}(?:pril|sartan|statin|olol|oxetine|aline|azole|prazole|
  pram|idine|mycin|cillin|formin|thyroxine|zepam|zolam|tidine|lukast|dipine|parin|xaban|
  gliptin|glutide|mab|triptan|afil|azepine|trigine|tadine|rizine|faxine|piride|apine|
  idone|azine|gabalin|pentin|profen|proxen|oxicam|coxib|triptyline|pramine|floxacin|
  cycline|conazole|thiazide|semide|lactone|gliflozin)(?: \d+ ?mg)?$
`;

/**
 * Checks whether a word looks like a medicine: a known one, or an ending that only drug names have.
 */
export const isMedicine = (phrase: string): boolean =>
  MEDICINES.test(phrase) || DRUG_ENDING.test(phrase);
