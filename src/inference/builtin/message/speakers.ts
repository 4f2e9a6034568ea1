/**
 * Finds the speakers of a request: roles, labelled transcripts, and which messages may yield
 * memories.
 */
import type { Message } from "../../extractor.ts";
import type { Speaker } from "../subjects/subjects.ts";
import { compile, pattern } from "../lexicon/lines.ts";
import { ANIMAL_WORDS, RELATION_WORDS } from "../lexicon/people.ts";

/** A piece of a message with its speaker; `source` is the index of the message. */
export interface Turn {
  readonly source: number;
  readonly speaker: Speaker;
  readonly text: string;
  /** Statements of an agent about "the user", which alone count in an assistant's message. */
  readonly agent: boolean;
  readonly transcript: boolean;
}

/** The speaker of a plain user message. */
export const USER: Speaker = { subject: "user", display: "User", other: null };

const LABEL =
  /^\s*(?:\[[^\]]*\]\s*|\*\*)?(\p{Lu}[\p{L}'.-]*(?: \p{Lu}[\p{L}'.-]*){0,2})(?:\*\*)?\s*:\s+(?=\S)/u;
const NO_SPEAKER = pattern("i")`
  ^(?:TODO|To-?Do|Todo|Note|Notes|NB|PS|P\.S\.|Update|Edit|Correction|Reminder|FYI|
  Warning|Error|Question|Answer|Summary|Subject|From|To|Date|Q|A|Example|Info|Important|
  Hint|Tip|Tips|Idea|Goal|Goals|Plan|Plans|Task|Tasks|Name|Age|Email|Address|Phone|
  Hobbies|Job|City|Country|Title|Context|Background|Input|Output|Result|Results|Name|Diet|
  Allergies|Birthday|Intro|Bio|About|About Me|Likes|Dislikes|Favorites|Language|Languages|
  Location|Occupation|Decision|Decisions|Agenda|Minutes|Actually|Sorry|Anyway|
  Quick Update|Fun Fact|Oops|System|User|Assistant|Developer|Tool|Human|AI|Bot)$
`;
/** Words that head the lines of a list ("Work: nurse at St Thomas"). */
const SECTION = pattern("i")`
  ^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Mornings?|Afternoons?|Evenings?|Nights?|Today|
  Tomorrow|Yesterday|Weekdays?|Weekends?|Breakfast|Brunch|Lunch|Dinner|Supper|Snacks?|Drinks?|
  Desserts?|(?:Current |Day |Side )?(?:Work|Jobs?|Employer|Company|Role|Position)|Home(?: ?town)?|
  Living|Family|Kids|Children|Pets?|Siblings|Parents|Relationship|Status|Food|Cuisine|Coffee|
  Health|Medications?|Meds|Conditions?|Fitness|Sports?|Exercise|Music|Movies|Films|Books|Reading|
  Games|Travel|Holidays?|Stack|Tech Stack|Tools?|Editor|OS|Laptop|Browser|Shell|Database|Framework|
  Frameworks|Car|Bike|School|University|College|Degree|Education|Studies|Skills|Projects?|Team|
  Timezone|Time Zone|Pronouns|Nickname|Nationality|Religion|Height|Weight|Interests?|
  Passions?|Dreams?|Habits?|Routine|Schedule|Budget|Deadline|Shopping|Groceries|Chores|Errands|
  Contact|Website|Handle|Git ?Hub|Linked ?In|Twitter|Instagram|Favou?rite .+|Lives|Works|Plays|
  Speaks|Studying|Learning|Playing|Watching|Using|Uses|Owns|Drives|Loves|Hates|Pros|Cons|Mood|
  Weather|Place|Time|When|Where|What|Who|Why|How)$
`;
/** "Mum" may be a speaker in a conversation, or a line of a list. */
const KIN = compile(`^(?:My |Our )?(?:${RELATION_WORDS}|(?:${ANIMAL_WORDS})s?)$`, "i");
const MONTH =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/i;
const FIRST_PERSON = /\b(?:I|me|my|we|our|you)\b/i;

function label(text: string): string | null {
  const name = LABEL.exec(text)?.[1];
  return name && !NO_SPEAKER.test(name) ? name : null;
}
const GREETING = /^(?:Hello|Hi|Hey|Yes|Thanks)(?![\p{L}'-])/iu;

/** Checks whether a line says something to someone. */
const isSpoken = (text: string) => FIRST_PERSON.test(text) || GREETING.test(text);
const unlabelled = (text: string) => text.replace(LABEL, "");

/** Checks whether labels belong to the lines of a list, and not to speakers. */
function isList(labels: readonly string[], texts: readonly string[]): boolean {
  const isSection = labels.map((name) => SECTION.test(name));
  if (isSection.every(Boolean)) return true;
  if (new Set(labels).size < labels.length) return false;
  return labels.every((name, i) => isSection[i] || KIN.test(name) || MONTH.test(name)) &&
    !texts.some((text, i) => !isSection[i] && isSpoken(unlabelled(text)));
}

function labelled(pieces: readonly { source: number; text: string }[]): readonly Turn[] | null {
  const names = pieces.flatMap((piece) => label(piece.text) ?? []);
  if (pieces.length < 2 || names.length < pieces.length) return null;
  if (isList(names, pieces.map(({ text }) => text))) return null;
  const people = [...new Set(names)];
  return pieces.map((piece, i) => {
    const display = names[i]!;
    const other = people.length === 2 ? people.find((name) => name !== display) ?? null : null;
    return {
      source: piece.source,
      speaker: { subject: display.toLowerCase(), display, other },
      text: unlabelled(piece.text),
      agent: false,
      transcript: true,
    };
  });
}

/** Returns the turns that may yield memories, with their speakers. */
export function turns(messages: readonly Message[]): readonly Turn[] {
  const spoken = messages.map((message, source) => ({
    source,
    role: message.role,
    text: message.content,
  })).filter((one) => one.text.trim());
  const users = spoken.filter((one) => one.role === "user");
  const transcript = labelled(users) ??
    (users.length === 1
      ? labelled(
        users[0]!.text.split("\n").filter((line) => line.trim()).map((text) => ({
          source: users[0]!.source,
          text,
        })),
      )
      : null);
  const agents = spoken.filter((one) => one.role === "assistant").map((one): Turn => ({
    source: one.source,
    speaker: USER,
    text: one.text,
    agent: true,
    transcript: false,
  }));
  const own = transcript ??
    users.map((one): Turn => ({
      source: one.source,
      speaker: USER,
      text: one.text,
      agent: false,
      transcript: false,
    }));
  return [...own, ...agents].sort((a, b) => a.source - b.source);
}
