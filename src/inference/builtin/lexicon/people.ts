/** Words for the people and animals in someone's life, with the attribute that each relation fills. */

import { compile } from "./lines.ts";

const KIN: ReadonlyArray<readonly [string, string]> = [
  ["spouse", "wife husband spouse hubby missus"],
  [
    "partner",
    "girlfriend boyfriend partner fiancé fiancée fiance fiancee gf bf other-half better-half significant-other",
  ],
  [
    "child",
    "son daughter kid child baby stepson stepdaughter step-son step-daughter stepchild toddler newborn boy girl twin foster-son foster-daughter children kids sons daughters twins boys girls eldest youngest oldest firstborn middle-child",
  ],
  [
    "sibling",
    "brother sister sibling bro sis stepbrother stepsister step-brother step-sister half-brother half-sister brothers sisters siblings twin-brother twin-sister",
  ],
  [
    "parent",
    "mum mom mother dad father parent mummy mommy daddy stepmother stepfather stepmum stepmom stepdad step-mother step-father step-mum step-mom step-dad mama papa parents",
  ],
  [
    "grandparent",
    "grandmother grandfather grandma grandpa gran granny nan nana grandad granddad grandparent abuela oma opa grandparents",
  ],
  [
    "relative",
    "aunt uncle cousin niece nephew mother-in-law father-in-law sister-in-law brother-in-law auntie grandson granddaughter godmother godfather godson goddaughter sis-in-law bro-in-law mum-in-law mom-in-law dad-in-law son-in-law daughter-in-law great-aunt great-uncle cousins nieces nephews grandchild grandchildren",
  ],
  ["friend", "friend bestie buddy mate pal best-friend friends best-mate"],
  // A partner in something. With another word in front, it's the partner in life.
  [
    "friend",
    "dance dancing bridge chess tennis golf doubles climbing running riding training gym workout sparring hiking diving fishing writing travel study conversation tandem accountability"
      .replaceAll(/\w+/g, "$&-partner"),
  ],
  ["colleague", "lab-partner law-partner research-partner"],
  [
    "colleague",
    "boss colleague manager coworker co-worker workmate teammate supervisor mentor lead team-lead assistant intern co-founder cofounder business-partner colleagues",
  ],
  ["neighbor", "neighbour neighbor neighbours neighbors"],
  ["roommate", "roommate flatmate housemate roomie"],
  ["teacher", "teacher tutor professor coach instructor trainer"],
  ["doctor", "doctor dentist therapist gp physio physiotherapist"],
  ["ex", "ex ex-wife ex-husband ex-boyfriend ex-girlfriend"],
];

/** Relation word (`mum`, `best-friend`) to the attribute that holds the name of that person. */
export const RELATIONS: ReadonlyMap<string, string> = new Map(
  KIN.flatMap(([attribute, words]) => words.split(" ").map((word) => [word, attribute] as const)),
);

/** Relation words as an alternation for expressions, longest first; a hyphen also matches a blank. */
export const RELATION_WORDS: string = [...RELATIONS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((word) => word === "gp" ? "gp|GP" : word.replaceAll("-", "[- ]"))
  .join("|");

/** Returns the attribute for a relation, or null if the word isn't one. */
export function relationAttribute(word: string): string | null {
  return RELATIONS.get(word.toLowerCase().replaceAll(" ", "-")) ??
    RELATIONS.get(word.toLowerCase()) ?? null;
}

/** Capitalized words at the start of a line that aren't names ("Wife: Hello", "Brother: Unknown"). */
export const NO_NAME =
  /^(?:Hello|Hi|Hey|Yes|No|None|Unknown|Thanks|Happy|Never|N\/?A|TBD)(?![\p{L}'-])/iu;

/** Returns the plural of a word for a person or an animal. Plurals are returned unchanged. */
export function pluralOf(word: string): string {
  if (/(?:ren|[^siu]s)$/i.test(word)) return word;
  if (/child$/i.test(word)) return `${word}ren`;
  return word.replace(/(?:wife|[^aeiou]y|s|x|ch|[- ]in[- ]law|)$/i, (end) => {
    if (/^wife$/i.test(end)) return "wives";
    if (/y$/i.test(end)) return `${end.slice(0, -1)}ies`;
    return /law$/i.test(end) ? `s${end}` : `${end}${end ? "es" : "s"}`;
  });
}

/** Checks whether a relation word is for several people ("sisters", "children"). */
export const isPlural = (word: string): boolean =>
  /ren$/i.test(word) || /s$/i.test(word) && relationAttribute(word.slice(0, -1)) !== null;

const ANIMALS =
  "dog cat tomcat puppy kitten rabbit bunny hamster guinea-pig parrot budgie canary " +
  "cockatiel bird goldfish fish tortoise turtle snake lizard gecko horse pony donkey goat sheep " +
  "chicken hen duck ferret rat mouse gerbil chinchilla hedgehog iguana axolotl python alpaca " +
  "llama pig cow tarantula frog macaw cockatoo parakeet bearded-dragon crested-gecko corn-snake";
const BREEDS =
  "border-collie labrador labrador-retriever golden-retriever german-shepherd poodle beagle dachshund bulldog " +
  "french-bulldog husky corgi greyhound whippet terrier jack-russell chihuahua pug rottweiler " +
  "boxer dalmatian spaniel cocker-spaniel springer-spaniel shiba-inu maltese schnauzer great-dane samoyed setter collie " +
  "labradoodle cockapoo goldendoodle mutt siamese maine-coon persian bengal ragdoll sphynx british-shorthair " +
  "tabby calico tortoiseshell norwegian-forest-cat russian-blue shih-tzu vizsla weimaraner akita sheepdog retriever " +
  "shepherd basset-hound lurcher pit-bull dobermann doberman pomeranian newfoundland";
const alternation = (words: string) =>
  words.split(" ").sort((a, b) => b.length - a.length).map((w) => w.replaceAll("-", "[- ]"))
    .join("|");
/** Breeds that are people or places too when they are capitalized ("my Maltese neighbour"). */
const AMBIGUOUS = /^(?:maltese|siamese|persian|bengal|newfoundland|boxer|shepherd)$/;
/**
 * Returns an alternation in which words may be capitalized, as breeds often are ("Border Collie").
 */
const capitalizable = (words: string) =>
  words.split(" ").map((word) =>
    AMBIGUOUS.test(word) ? word : word.replace(/(?<=^|-)[a-z]/g, (c) => `[${c.toUpperCase()}${c}]`)
  ).join(" ");

/** Kinds of pet, as an alternation. */
export const ANIMAL_WORDS: string = alternation(ANIMALS);
/** Breeds of pet, as an alternation. */
export const BREED_WORDS: string = alternation(capitalizable(BREEDS));

const KIND = compile(`^(?:${ANIMAL_WORDS}|${BREED_WORDS}|${RELATION_WORDS})(?:s|es)?$`, "iu");
/** Checks whether a word is for a kind of animals or people, and not for one in particular. */
export const isKind = (word: string): boolean => KIND.test(word);

/** Names of kinds whose young have a word of their own. */
export const GROWN: ReadonlyMap<string, string> = new Map([
  ["puppy", "dog"],
  ["pup", "dog"],
  ["doggo", "dog"],
  ["kitten", "cat"],
  ["kitty", "cat"],
  ["tomcat", "cat"],
  ["bunny", "rabbit"],
]);
