/** Lists, whose lines begin as those of a conversation do. */
import type { Sayings } from "./saying.ts";

export const LISTS: Sayings = {
  lists: [
    ["Wife: Clara\nKids: Tom and Eli\nDog: Bruno", "spouse=Clara; child=Tom; child=Eli; pet=Bruno"],
    ["Husband: Raj\nSister: Mei", "spouse=Raj; sibling=Mei"],
    ["My cat: Miso\nMy brother: Tom", "pet=Miso; sibling=Tom"],
    [
      "Work: nurse at St Thomas\nHome: Leeds",
      "job_title=nurse; works_at=St Thomas; lives_in=Leeds",
    ],
    ["Home: Cork\nWork: electrician", "lives_in=Cork; job_title=electrician"],
    [
      "Monday: gym\nTuesday: I have my Spanish class",
      "never tuesday.learning=; never monday.hobby=",
    ],
    ["Stack: Deno\nMood: I'm vegan", "never mood.diet="],
    ["Work: busy week ahead\nHome: same as ever", "never job_title=; never lives_in="],
    ["Dog: Rex, Fido and Bo", "pet=Rex; pet=Fido; pet=Bo; has User's dogs are Rex"],
    ["Sister: Anna and Zoe\nBoss: Kim", "sibling=Anna; sibling=Zoe; colleague=Kim"],
    ["Wife: Hello\nBrother: Yes", "nothing"],
    ["Wife: None\nKids: Tom", "never spouse="],
    ["Mum: Ana\nDad: Leo\nBrother: Unknown", "parent=Ana; parent=Leo; never sibling="],
    ["Lunch: soup\nLunch: stew\nWork: electrician", "job_title=electrician"],
    ["Team: Arsenal\nWork: I am a nurse at Bosch", "job_title=nurse; works_at=Bosch"],
    ["May: sowing beans\nJune: two weeks in Crete", "never june.lives_in="],
  ],
  transcriptsOfFew: [
    ["Ana: hi\nBen: I live in Rome", "ben.lives_in=Rome"],
    ["Mum: I'm vegan\nDad: I work at Bosch", "mum.diet=vegan; dad.works_at=Bosch; never diet="],
    ["Mum: hi\nAna: I live in Rome", "ana.lives_in=Rome; never lives_in="],
    [
      "Team: we use Go\nAnna: I live in Rome and I have asthma",
      "anna.lives_in=Rome; anna.condition=asthma; never lives_in=; never condition=",
    ],
    [
      "Company: We pay monthly.\nWorker: I live in Hamburg and I am allergic to latex.",
      "worker.allergic_to=latex; never lives_in=; never allergic_to=",
    ],
    ["April: I live in Rome\nJune: I'm vegan", "june.diet=vegan; never lives_in=; never diet="],
    ["May: hi\nJune: hi\nMay: I live in Oslo", "may.lives_in=Oslo; never lives_in="],
  ],
};
