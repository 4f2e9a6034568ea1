/** Passing states, and what is said with them. */
import type { Sayings } from "./saying.ts";

export const PASSING_STATES: Sayings = {
  saidWithStates: [
    ["I'm sorry, I'm actually allergic to nuts.", "allergic_to=nuts"],
    ["I'm late because I live in Croydon.", "lives_in=Croydon; has Croydon"],
    ["I'm tired, my twins Leo and Max are up all night.", "child=Leo; child=Max"],
    ["Ugh I'm exhausted, my sons Ravi and Dev have the flu", "child=Ravi; child=Dev"],
    ["I have to go now, my daughter Lily is waiting.", "child=Lily"],
    ["My head hurts because I quit coffee last week.", "avoids=coffee"],
    ["I'm glad that we moved to Leeds.", "lives_in=Leeds"],
    ["I'm excited that my sister Mei is visiting.", "sibling=Mei"],
    [
      "I'm at the airport - I'm moving to Oslo today",
      "?plan=move to Oslo; ?lives_in=Oslo; has Oslo",
    ],
    ["I was nervous but I got the job at Bosch!", "tagged; works_at=Bosch"],
  ],
  statesAlone: [
    ["I'm tired because of the heat.", "nothing"],
    ["I'm happy that you like it.", "nothing"],
    ["I'm sorry, I was late.", "nothing"],
    ["I'm late, I missed the bus.", "nothing"],
    ["I'm tired, I want to go to bed.", "nothing"],
    ["I'm bored, I need a new hobby.", "nothing"],
    ["I'm busy, I have a meeting at 3.", "nothing"],
    ["I'm stuck because my code doesn't compile.", "nothing"],
    ["I'm sick, so I can't come in today.", "nothing"],
    ["I'm worried that I have cancer.", "nothing"],
    ["I'm home, my wife says hi.", "never spouse="],
  ],
};
