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
    ["May: sowing beans\nJune: two weeks in Crete", "never june.lives_in="],
  ],
  transcriptsOfFew: [
    ["Ana: hi\nBen: I live in Rome", "ben.lives_in=Rome"],
    ["Mum: I'm vegan\nDad: I work at Bosch", "mum.diet=vegan; dad.works_at=Bosch; never diet="],
    ["Mum: hi\nAna: I live in Rome", "ana.lives_in=Rome; never lives_in="],
    ["May: hi\nJune: hi\nMay: I live in Oslo", "may.lives_in=Oslo; never lives_in="],
  ],
};
