/**
 * Round 11, written without reading the rules: habits, goals, tasks, decisions, events, endings and
 * corrections.
 */
import type { Sayings } from "./saying.ts";

export const PLANS: Sayings = {
  habits: [
    ["Every Friday we order pizza.", "has pizza; is fact|preference"],
    ["I swim twice a week.", "has twice a week; is fact|preference"],
    ["I tend to skip breakfast.", "has breakfast; is fact|preference"],
    [
      "On Saturdays I volunteer at the food bank.",
      "has food bank; is fact|preference; never works_at=food bank",
    ],
    ["I meditate for ten minutes before bed.", "has meditate; is fact|preference"],
    ["I go to bed around eleven most nights.", "has eleven; is fact|preference"],
    ["I always have a nap after lunch.", "has nap; is fact|preference; never owns=nap"],
    [
      "I work out at the gym three times a week.",
      "has gym; is fact|preference; never works_at=gym",
    ],
  ],
  goals: [
    ["My dream is to open a bookshop by the sea.", "goal=open a bookshop by the sea; never owns="],
    ["I'm hoping to get into medical school.", "goal=get into medical school; never studies_at="],
    [
      "This year I want to get my scuba licence.",
      "goal=get scuba licence|get their scuba licence|get my scuba licence|get a scuba licence",
    ],
    ["I'm working towards a black belt in judo.", "has black belt; is goal"],
    ["I'm putting money aside for a trip to Japan.", "has Japan; is goal; never lives_in="],
    [
      "I aim to publish two papers by the end of the year.",
      "goal=publish two papers|publish two papers by the end of the year|publish 2 papers; on 2026-12",
    ],
    ["One day I'd like to see the northern lights.", "goal=see the northern lights; is goal"],
    ["I'm determined to quit sugar.", "has sugar; is goal; never likes="],
    ["My resolution for 2026 is to call my mother more often.", "has mother; is goal"],
    ["I'm trying to lose ten kilos.", "has ten kilos|10 kilos; is goal"],
    ["I'd really like to learn how to weld.", "goal=learn how to weld; is goal"],
  ],
  plans: [
    ["We're off to Crete on 12 June.", "has Crete; on 2026-06-12; never lives_in="],
    [
      "I'll be in Hamburg next week for a trade fair.",
      "has Hamburg; on 2026-03-23; never lives_in=",
    ],
    ["My sister's coming to stay with us over Easter.", "has Easter; never lives_in="],
    [
      "I'm getting married in October!",
      "has married|marry|marries; on 2026-10; never marital_status=married",
    ],
    ["I intend to run for the school board this autumn.", "has school board; on 2026-09"],
    ["Next month I'm having surgery on my shoulder.", "has shoulder; on 2026-04"],
    ["We're going to see Björk on 3 May.", "has Björk; on 2026-05-03"],
    ["I've got tickets for the derby on Sunday.", "has derby; on 2026-03-22"],
    ["The kids and I will be camping in the Vosges in two weeks.", "has camping; on 2026-04-01"],
  ],
  todos: [
    ["I mustn't forget to cancel the gym membership.", "todo=cancel the gym membership"],
    ["Can you remind me to feed the cat tonight?", "todo=feed the cat; on 2026-03-18"],
    [
      "I've got to pick up the dry cleaning on Friday.",
      "todo=pick up the dry cleaning; on 2026-03-20",
    ],
    ["Remember to book the flights by Monday.", "todo=book the flights; on 2026-03-23"],
    ["I still need to reply to Fatima.", "todo=reply to Fatima"],
    [
      "Put 'renew car insurance' on my list for next week.",
      "?todo=renew car insurance; has insurance; on 2026-03-23",
    ],
    [
      "Note to self: return the library books on Thursday.",
      "todo=return the library books; on 2026-03-19",
    ],
    [
      "Please remind me about the parents' evening on 25 March.",
      "has parents' evening; is todo|event; on 2026-03-25",
    ],
    ["The report is due in ten days.", "has report; on 2026-03-28; is todo|fact|event"],
  ],
  decisions: [
    ["We've settled on Redis for caching.", "decision:caching=Redis"],
    ["We picked Stripe as our payment provider.", "decision:payment_provider=Stripe"],
    [
      "I've made up my mind: I'm taking the job in Oslo.",
      "has Oslo; is decision|goal|event; never lives_in=",
    ],
    [
      "The board voted to close the Hamburg office.",
      "has Hamburg; is decision|event; never works_at=",
    ],
    [
      "For the logo we're sticking with green.",
      "?decision:logo=green; has green; is decision|fact|preference",
    ],
    [
      "We opted for React over Angular.",
      "has React; is decision; ?framework=React; never framework=Angular",
    ],
    [
      "It's final: the wedding will be in Sintra.",
      "tagged; has Sintra; is decision|event|fact; never lives_in=",
    ],
    ["We will use Terraform for infrastructure, that's decided.", "has Terraform; is decision"],
    ["I've chosen not to renew the contract.", "has contract; is decision"],
  ],
  events: [
    ["I met the mayor on Tuesday.", "has mayor; on 2026-03-17; is event"],
    ["My nephew was born last night.", "has nephew; on 2026-03-17; never from="],
    ["We had dinner with the Okafors two days ago.", "has Okafors; on 2026-03-16; is event"],
    [
      "The day before yesterday I crashed my bike.",
      "has bike; on 2026-03-16; is event; never owns!=bike",
    ],
    ["I saw Hamilton in London in 2019.", "has Hamilton; on 2019; is event; never lives_in="],
    [
      "I won second prize at the baking contest last weekend.",
      "has prize; on 2026-03-14; is event",
    ],
    ["Our flight got cancelled this morning.", "has flight; on 2026-03-18; is event"],
    [
      "I finally handed in my dissertation on 2 March.",
      "has dissertation; on 2026-03-02; is event",
    ],
    ["A month ago my phone was stolen in Naples.", "has phone; on 2026-02-18; never lives_in="],
    [
      "I have a dentist appointment on 30 March at 9.",
      "has dentist; on 2026-03-30; never job_title=; never owns=",
    ],
    [
      "My parents celebrated their golden wedding in February.",
      "has golden; on 2026-02; never marital_status=",
    ],
    [
      "Last summer we hiked the West Highland Way.",
      "has West Highland Way; on 2025-06|2025-07; is event",
    ],
    ["I gave birth on New Year's Day.", "has birth; on 2026-01-01; never birthday="],
    ["Back in 2003 I won a chess tournament.", "has chess; on 2003; is event"],
  ],
  negation: [
    ["I gave up smoking in 2020.", "has smoking; on 2020; never habit=smoking"],
    ["We don't live in Antwerp any longer.", "lives_in!=Antwerp; never lives_in=Antwerp"],
    ["I'm no longer vegan.", "diet!=vegan; never diet=vegan"],
    ["I used to be a teacher.", "?job_title!=teacher; has teacher; never job_title=teacher"],
    ["I haven't smoked since 2015.", "never from=; has smoked"],
    ["I am not married.", "never marital_status=married; never spouse="],
    ["I'm not from Spain, people always assume that.", "never from=Spain"],
    [
      "I don't play the guitar any more.",
      "hobby!=playing the guitar|guitar|play the guitar; never hobby=playing the guitar",
    ],
    ["I don't drink coffee.", "avoids=coffee; never likes=coffee"],
    ["I've never worked for Google.", "never works_at=; never worked_at="],
    ["I broke up with Julien in December.", "partner!=Julien; never partner=Julien; on 2025-12"],
    ["We split up last month, so I'm single again.", "marital_status=single"],
    ["I quit the band.", "has band; never hobby=band"],
    ["My divorce came through in January.", "marital_status=divorced; on 2026-01"],
    ["I neither smoke nor drink.", "never likes=; has smoke"],
    ["I'm not really into sports.", "?dislikes=sports; never hobby=sports; has sports"],
    ["I sold the caravan, so I don't have one any more.", "owns!=caravan; never owns=caravan"],
    [
      "I cancelled my Netflix subscription last week.",
      "has Netflix; on 2026-03-09; never uses=Netflix",
    ],
  ],
  correction: [
    ["I'm 41. No, wait, 42 since Monday.", "age=42; never age=41"],
    ["My brother is called Piet — sorry, Pieter.", "sibling=Pieter; never sibling=Piet"],
    ["I work at Philips. // Scratch that, I meant ASML.", "works_at=ASML; never works_at=Philips"],
    [
      "My birthday is 3 May. // assistant:Got it, 3 May! // Oops, 13 May.",
      "birthday=05-13; never birthday=05-03",
    ],
    ["I live in Sydney, I mean Melbourne.", "lives_in=Melbourne; never lives_in=Sydney"],
    [
      "It's Sørensen, not Sorensen: my name is Mads Sørensen.",
      "name=Mads Sørensen; never name=Sorensen",
    ],
    [
      "I said I was allergic to walnuts, but it's actually hazelnuts.",
      "allergic_to=hazelnuts; never allergic_to=walnuts",
    ],
    ["Our cat is six. Correction, seven.", "never age=6; never age=7; has seven|7"],
    ["My flight leaves on Thursday. Actually no, it's Friday.", "has Friday; on 2026-03-20"],
    [
      "To be precise, I'm a nurse practitioner, not a nurse.",
      "job_title=nurse practitioner; never job_title=nurse",
    ],
    [
      "You've got that wrong: I'm from Austria, not Australia.",
      "from=Austria; never from=Australia",
    ],
    [
      "assistant:So you live in Bonn? // No, I live in Cologne.",
      "lives_in=Cologne; never lives_in=Bonn",
    ],
  ],
};
