/** Round 8: dates in many forms, other people, and longer messages. */
import type { Sayings } from "./saying.ts";

export const DATES: Sayings = {
  dates: [
    ["I moved to Gera on 1 September 2020.", "lives_in=Gera; on 2020-09-01; from 2020-09-01"],
    ["I started at Miele in autumn 2022.", "works_at=Miele; on 2022-09"],
    ["We've lived in Bonn since the summer of 2016.", "lives_in=Bonn; from 2016-06"],
    ["I've been vegan since January 2021.", "diet=vegan; from 2021-01"],
    ["I've been working at Bosch for a decade.", "works_at=Bosch; from 2016-03"],
    ["I've been learning Thai for half a year.", "learning=Thai; from 2025-09"],
    ["I went to the opera the night before last.", "has opera; is event"],
    ["I saw my cousin a fortnight ago.", "has cousin; on 2026-03-04; never relative="],
    ["We got the keys three days ago.", "has keys; on 2026-03-15; is event"],
    ["I had a car crash on the 5th of March.", "has crash; on 2026-03-05; is event; never owns="],
    ["I was in Lisbon from 3 to 9 March.", "has Lisbon; on 2026-03-03; never lives_in=|"],
    [
      "I worked at Fiat from 2003 until 2010.",
      "worked_at=Fiat; from 2003; to 2010; never works_at=",
    ],
    ["I have a dentist appointment on Tuesday at 2pm.", "has dentist; on 2026-03-24T14:00"],
    ["We leave for Nepal in ten days.", "has Nepal; on 2026-03-28; never lives_in="],
    ["I'll be 60 next year.", "never age=; on 2027"],
    ["The baby is due on 30 June.", "has baby; on 2026-06-30; never child="],
    ["I need to renew my visa by the end of May.", "has visa; on 2026-05-31; is todo"],
    ["The course starts on the first Monday of May.", "has course; on 2026-05-04"],
    ["My contract runs until December.", "has contract; to 2026-12"],
    ["As of next month I work for Aldi.", "has Aldi; ?works_at=Aldi; from 2026-04"],
    ["I quit sugar on New Year's Day.", "avoids=sugar; on 2026-01-01"],
    [
      "We're having a barbecue the day after tomorrow.",
      "has barbecue; on 2026-03-20; is event|goal",
    ],
    ["I sold my boat back in 2017.", "owns!=boat; on 2017; never owns="],
    ["My grandfather died on Christmas Eve.", "has died; on 2025-12-24; is event"],
    ["I ran a marathon in under four hours last October.", "has marathon; on 2025-10; is event"],
    ["I have been on metformin since 2019.", "medication=metformin; from 2019"],
    ["I graduated in June 2015.", "has graduated; on 2015-06"],
    ["Our lease ends on 31 August.", "has lease; on 2026-08-31"],
    ["I've had this cough since Sunday.", "never condition=cough|"],
    ["My flight is on 31 June.", "has flight; on 2026-03-18"],
    ["We met on 29 February 2024.", "has met; on 2024-02-29"],
    ["I paid the deposit on 29 February 2023.", "has deposit; on 2026-03-18"],
    ["I'm flying to Rome on 5/4/2026.", "has Rome; on 2026-04-05|2026-05-04"],
    ["Early next year we're moving to Kent.", "has Kent; on 2027; never lives_in=Kent early"],
  ],
  others: [
    ["Marta works as a chemist.", "marta.job_title=chemist; never job_title="],
    ["Olu is 12 and loves chess.", "olu.age=12; olu.likes=chess; never age="],
    ["Ingrid moved to Bergen in 2022.", "ingrid.lives_in=Bergen; on 2022; never lives_in="],
    ["Sven doesn't eat meat.", "sven.avoids=meat; never avoids="],
    ["Priya's birthday is 9 May.", "priya.birthday=05-09; never birthday="],
    [
      "My colleague Jens is allergic to nuts.",
      "colleague=Jens; jens.allergic_to=nuts; never allergic_to=",
    ],
    [
      "My mum speaks Czech and German.",
      "user's mum.speaks=Czech; user's mum.speaks=German; never speaks=",
    ],
    ["My dad used to work at Opel.", "user's dad.worked_at=Opel; never worked_at="],
    ["My brother's a plumber.", "user's brother.job_title=plumber; never job_title="],
    ["My wife prefers tea to coffee.", "user's wife.prefers=tea; never prefers="],
    ["Our neighbour Frau Kern has two dachshunds.", "never pet="],
    ["My son Mio is learning the trumpet.", "child=Mio; mio.learning=trumpet; never learning="],
    [
      "My best friend Ade got engaged on Sunday.",
      "friend=Ade; ade.marital_status=engaged; on 2026-03-15; never marital_status=",
    ],
    [
      "My cousin Rui lives in Faro and works as a fisherman.",
      "relative=Rui; rui.lives_in=Faro; rui.job_title=fisherman; never lives_in=",
    ],
    [
      "My grandmother, who lives in Cork, is 91.",
      "user's grandmother.lives_in=Cork; user's grandmother.age=91; never age=; never lives_in=",
    ],
    ["My boss and her husband live in Bath.", "never lives_in="],
    [
      "My sister hates flying but loves trains.",
      "user's sister.dislikes=flying; user's sister.likes=trains; never likes=",
    ],
    ["Everyone in my family is left-handed.", "never identity="],
    ["My dog is afraid of thunder.", "never dislikes=; has thunder"],
    ["The payment service uses Redis.", "payment service.database=Redis; never database="],
    ["My niece is called Alma and she's two.", "relative=Alma; never age="],
    ["My uncle Bob runs a garage in Hull.", "relative=Bob; never works_at="],
  ],
  long: [
    [
      "Hey, thanks for yesterday! Quick follow-up: I talked to my landlord Piet and he's fine with a dog, so we're adopting a terrier called Bix on Saturday. Which vaccines does he need?",
      "on 2026-03-21; never landlord=user",
    ],
    [
      "I'm trying to plan my week. On Tuesdays I have pottery class, on Thursdays I pick up my son Ilan from football, and on Friday I've a deadline at work.",
      "child=Ilan; never works_at=",
    ],
    [
      "Sorry if this is long. I'm 44, divorced, and I have two teenagers, Kim and Lou. We moved from Arnhem to Breda last year because of my job at Philips.",
      "age=44; marital_status=divorced; lives_in=Breda; never lives_in=Arnhem",
    ],
    [
      "So I did what you said and it worked, you're a genius. Next: my wife Annika is coeliac, her birthday's on Friday and I want to bake her a cake. Ideas?",
      "spouse=Annika; never condition=; never birthday=",
    ],
    [
      "I don't know if you remember, but I told you I was looking for work. Good news: I start at Ubisoft on 1 April as a level designer!",
      "on 2026-04-01; has Ubisoft; ?works_at=Ubisoft; ?job_title=level designer",
    ],
    [
      "Can we practise Spanish? My level is B1. I've been learning it for two years, mostly with Duolingo, and I want to pass the DELE in November.",
      "is goal; has DELE; on 2026-11",
    ],
    [
      "I need a name for my boat. It's a small wooden sailboat, I bought it in May, and I keep it in Hoorn.",
      "never name=; never lives_in=",
    ],
    [
      "Honestly I'm torn. My mother lives alone in Sligo, she's 82, and I live in Galway. Should I move closer?",
      "lives_in=Galway; user's mother.lives_in=Sligo; user's mother.age=82; never age=; never lives_in=Sligo",
    ],
    [
      "We're a small team of five, we use TypeScript and Deno, and our database is Postgres. I'm the only one who knows SQL.",
      "programming_language=TypeScript; database=Postgres; never age=",
    ],
    [
      'Please translate this to Dutch for my colleague Sanne: "I live in Utrecht and I love cycling."',
      "never lives_in=; never likes=",
    ],
    [
      "My doctor said: no more running. I've got arthritis in my left knee. I'm taking naproxen twice a day.",
      "never hobby=running; never medication=running",
    ],
    [
      "No, I'm not from the US, I'm Canadian. I grew up in Halifax and I live in Leeds.",
      "tagged; nationality=Canadian; from=Halifax; lives_in=Leeds; never from=US",
    ],
    [
      "Great tips! I'm vegetarian by the way, so skip the bacon. And my partner Eli doesn't eat eggs.",
      "diet=vegetarian; partner=Eli; eli.avoids=eggs; never avoids=eggs",
    ],
    [
      "Let's talk about something else. I've taken up bouldering and I love it.",
      "tagged; hobby=bouldering; never dislikes=",
    ],
    [
      "assistant:Noted. // I moved to Setúbal in 2023 and I run a surf school there.",
      "lives_in=Setúbal; on 2023; never works_at=surf school there",
    ],
    [
      "Remember when I said I'm allergic to bees? It turns out it's wasps.",
      "never allergic_to=bees",
    ],
    [
      "I'm not a morning person and I never eat breakfast before ten.",
      "never identity=morning person; never likes=",
    ],
    [
      "I work at Lidl, my husband Marc works at Aldi, and our daughter Zoé wants to work at Rewe.",
      "works_at=Lidl; spouse=Marc; marc.works_at=Aldi; child=Zoé; never works_at=Aldi; never works_at=Rewe",
    ],
    [
      "ugh my laptop (an old ThinkPad running Fedora) died, so i'm buying a framework laptop next week",
      "never framework=; on 2026-03-23",
    ],
    ["i've got 2 kids, 3 cats and a husband who's a chef lol", "children=2; never job_title="],
  ],
};
