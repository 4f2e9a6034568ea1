/** Round 26: sentences where the rules from round 25 claimed too much or too little. */
import type { Sayings } from "./saying.ts";

export const PETS: Sayings = {
  pets: [
    ["My dog Rex is afraid of poodles.", "pet=Rex; never rex.breed="],
    ["My dog Rex is bigger than a labrador.", "never rex.breed=; never rex.job_title="],
    ["My dog Rex is a friend of poodles.", "never rex.breed="],
    ["My dog Rex is a lovely old labrador.", "rex.breed=labrador; never rex.job_title="],
    ["We have a labrador called Rex. He is scared of poodles.", "rex.breed=labrador"],
    ["I put my cat Luna down for a nap.", "pet=Luna; never pet!=Luna"],
    ["I had my dog Rex settle down.", "pet=Rex; never pet!=Rex"],
    ["I put my dog Rex to sleep on the sofa.", "pet=Rex; never pet!=Rex"],
    ["I put my dog Rex to sleep in May.", "pet!=Rex; never pet=Rex"],
    ["I put my dog Rex to sleep on the 3rd of May.", "pet!=Rex; never pet=Rex"],
    ["We had our cat Luna put down last week.", "pet!=Luna; never pet=Luna"],
  ],
  people: [
    ["My childhood friend Ana lives in Rome.", "friend=Ana; ana.lives_in=Rome"],
    ["My childhood sweetheart Ana lives in Rome.", "never partner="],
    ["My favourite children's book is Matilda.", "favorite_childrens_book=Matilda"],
    ["Call my landline at 030 123 4567.", "phone=030 123 4567"],
  ],
  denials: [
    ["I live in Porto. // assistant: Nice. Do you smoke? // I used to.", "lives_in=Porto"],
    ["I live in Porto. I used to.", "never lives_in="],
    ["I don't like coffee. Not really.", "dislikes=coffee"],
  ],
  history: [
    ["I lived in Rome for two years but then moved back.", "lived_in=Rome"],
    ["I studied at MIT but then came back.", "tagged; studied_at=MIT"],
    ["I left Bosch but went back.", "never works_at!=Bosch; never worked_at=Bosch"],
  ],
  then: [
    [
      "I've always loved trains, even when I was little.",
      "likes=trains; never likes=even",
    ],
    ["I loved trains when I was little.", "never likes="],
    ["I hated olives as a kid but now I love them.", "likes=olives; never dislikes="],
    ["As a kid I hated olives, now I love them.", "likes=olives; never dislikes="],
    [
      "As a student I lived in Prague, but now I live in Rome.",
      "lived_in=Prague; lives_in=Rome; has lived in Prague as a student",
    ],
    ["As a student I lived in Prague and Brno.", "has lived in Prague and Brno as a student"],
  ],
  allergies: [
    [
      "I avoid the park in spring, I'm allergic to pollen.",
      "allergic_to=pollen; never allergic_to=park",
    ],
    [
      "I don't eat bread because I'm allergic to gluten.",
      "allergic_to=gluten; never allergic_to=bread",
    ],
    ["I avoid nuts because she is allergic.", "never allergic_to="],
    ["I avoid cats because I'm allergic to them.", "allergic_to=cats"],
    ["My sister Klara can't eat nuts because she's allergic.", "klara.allergic_to=nuts"],
  ],
  spare_time: [
    [
      "In my spare time I paint landscapes with watercolours.",
      "hobby=painting landscapes with watercolours; never hobby=painting landscapes",
    ],
    ["In my spare time I play chess with my brother.", "hobby=playing chess"],
  ],
  days: [
    ["My birthday is on Christmas, close to my brother's.", "birthday=12-25"],
    ["My birthday is two days after Christmas.", "never birthday="],
  ],
  guesses: [
    ["I think I'm going to add a garage next year.", "has add a garage"],
    ["I think I have asthma.", "never condition="],
    ["I must be home by 6.", "is todo"],
    ["I must be getting old.", "is fact|event|observation"],
  ],
  spans: [
    ["I've lived in Rome for twenty-five years.", "lives_in=Rome; from 2001-03-18"],
    ["I've worked at Bosch for thirteen years.", "works_at=Bosch; from 2013-03-18"],
    ["I moved to Rome twenty-one years ago.", "lives_in=Rome; from 2005-03-18"],
    ["I've had asthma for seventeen years.", "condition=asthma; from 2009-03-18"],
    ["I've been at Bosch for a year.", "works_at=Bosch; from 2025-03-18"],
  ],
  topics: [
    ["New York? I love it.", "likes=New York; has loves New York"],
    ["Porto? I love it.", "has loves Porto"],
    ["Netflix? I use it every day.", "has uses Netflix"],
    ["Coffee? I love it.", "has loves coffee"],
  ],
  todos: [
    ["The bike has to be repaired by Friday.", "todo=repair the bike"],
    ["The dishes need to be washed.", "todo=wash the dishes"],
    ["The windows have to be replaced.", "todo=replace the windows"],
    ["The invoice must be paid by Friday.", "todo=pay the invoice"],
    ["I've always wanted to visit Japan.", "goal=visit Japan"],
    ["I always wanted to be a pilot.", "never goal="],
    ["Remember it.", "never todo="],
    ["Remember me.", "nothing"],
    ["Remember Anna's birthday.", "todo=remember Anna's birthday"],
  ],
  decisions: [
    ["The decision was made by the board.", "never decision="],
    ["The decision was difficult.", "never decision="],
    ["The decision was unanimous.", "never decision="],
    ["The decision on the venue is Lisbon.", "decision:venue=Lisbon"],
    ["The final decision is to use Rust.", "decision=use Rust|Rust"],
  ],
};
