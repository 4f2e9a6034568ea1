/** Round 17: long-winded, elliptic and joking phrasings. */
import type { Sayings } from "./saying.ts";

export const INFORMAL: Sayings = {
  self: [
    ["Evening! Benedikta here, hope I'm in the right place.", "name=Benedikta"],
    ["What should you call me? Fritz will do.", "?nickname=Fritz; ?name=Fritz"],
    ["I use they/them pronouns and I'd appreciate it if you did too.", "pronouns=they/them"],
    ["My birthday is in two weeks, on 1 April, no joke.", "birthday=04-01"],
    [
      "I'm British-Nigerian and I live in Peckham.",
      "?nationality=British-Nigerian; ?nationality=British; ?nationality=Nigerian; lives_in=Peckham",
    ],
    ["I'm an army brat, so I grew up all over the place.", "never from=; never job_title="],
    ["I converted to Islam in 2012.", "tagged; religion=Islam|Muslim; on 2012"],
  ],
  places: [
    [
      "We left the city in 2021 and now live on a smallholding near Hereford.",
      "lives_in=Hereford|smallholding near Hereford; never worked_at=",
    ],
    ["I spent my childhood in Beirut.", "tagged; from=Beirut; never lives_in=Beirut"],
    [
      "Packing boxes again, we move to Ålesund on Friday.",
      "has Ålesund; on 2026-03-20; never lives_in=",
    ],
    ["My house in Bath is for sale.", "?lives_in=Bath; ?owns=house in Bath; has Bath"],
    ["Utrecht has been my home since birth.", "tagged; lives_in=Utrecht; ?from=Utrecht"],
  ],
  work: [
    [
      "My job at the aquarium is mostly feeding penguins.",
      "?works_at=aquarium; has aquarium; never job_title=mostly feeding penguins",
    ],
    [
      "I've been working remotely for a company called Tandem since March 2024.",
      "works_at=Tandem; from 2024-03",
    ],
    ["I earn my keep as a piano tuner.", "tagged; job_title=piano tuner"],
    ["My contract with Airbus ends in June.", "?works_at=Airbus; has Airbus; ?to 2026-06"],
    [
      "I got sacked from Greggs, so I'm job-hunting.",
      "worked_at=Greggs; employment=unemployed|; never works_at=Greggs",
    ],
    ["I ended up becoming a paramedic.", "tagged; job_title=paramedic"],
    [
      "I've traded the classroom for the kitchen: I cook at a bistro now.",
      "?works_at=bistro; has bistro; never lives_in=",
    ],
    ["I clean offices for a living.", "has offices; never hobby="],
  ],
  study: [
    [
      "I'm halfway through a master's in public health at Karolinska.",
      "?studies=public health; ?studies_at=Karolinska; ?degree=master's in public health; has public health",
    ],
    ["I'm taking evening classes in bookkeeping.", "learning=bookkeeping|; has bookkeeping"],
    ["I passed my finals at Galway in 2016, medicine.", "has Galway; on 2016; never studies_at="],
  ],
  family: [
    [
      "Meet the family: my husband Ikenna and our boys, Chike and Obi.",
      "spouse=Ikenna; child=Chike; child=Obi",
    ],
    ["My two-year-old, Rafi, won't sleep.", "child=Rafi; rafi.age=2; never age="],
    [
      "My wife - her name's Pilar - grew up in Cádiz.",
      "tagged; spouse=Pilar; pilar.from=Cádiz; never from=",
    ],
    [
      "I married my high school sweetheart, Dwayne.",
      "tagged; spouse=Dwayne; marital_status=married",
    ],
    ["I'm the middle of three sisters.", "?siblings=2; has sisters; never age=3; never children="],
    ["We lost our baby in November.", "has baby; on 2025-11; never child="],
    [
      "My siblings Finn and Freja are both teachers.",
      "sibling=Finn; sibling=Freja; never job_title=",
    ],
  ],
  pets: [
    ["My horse Bramble is lame.", "pet=Bramble; bramble.species=horse"],
    ["Pickles, my hedgehog, is hibernating.", "pet=Pickles"],
  ],
  taste: [
    ["If there's one thing I can't stand it's wet socks.", "never likes=wet socks"],
    ["What I really enjoy is cooking for a crowd.", "tagged; likes=cooking for a crowd|cooking"],
    ["Not keen on reptiles, me.", "?dislikes=reptiles; never likes=reptiles; has reptiles"],
    ["My idea of a perfect evening is board games and cider.", "never owns=; has board games"],
    ["I don't think I'll ever like liquorice.", "never likes=liquorice"],
    ["My favourite thing about summer is the light.", "never favorite_thing=light; has light"],
    [
      "I'll take mountains over beaches every time.",
      "tagged; ?prefers=mountains; never likes=beaches; has mountains",
    ],
    ["Do me a favour and keep your answers under 100 words.", "is preference; has 100 words"],
    ["Please don't call me ma'am.", "never nickname=ma'am; never name="],
  ],
  hobbies: [
    [
      "I've been making my own cheese since lockdown.",
      "has cheese; ?hobby=making cheese; never from=",
    ],
    ["My weekends go into restoring a 1970s caravan.", "has caravan; never owns!=caravan"],
    ["I'm an amateur astronomer.", "?hobby=astronomy; never job_title=astronomer; has astronomer"],
  ],
  tools: [
    ["I do my coding in Zed these days.", "editor=Zed"],
    ["I dropped Spotify for Tidal.", "tagged; uses=Tidal; never uses=Spotify"],
    ["My laptop's a ThinkPad with Debian on it.", "?os=Debian; ?owns=ThinkPad; has ThinkPad"],
    ["I can't live without Obsidian.", "?uses=Obsidian; never lives_in=Obsidian; has Obsidian"],
  ],
  health: [
    ["Because of my eczema I can't wear wool.", "tagged; condition=eczema; ?avoids=wool"],
    ["My allergy to kiwi is getting worse.", "tagged; allergic_to=kiwi"],
    [
      "I came off sertraline in the autumn.",
      "?medication!=sertraline; never medication=sertraline; has sertraline",
    ],
    ["As a diabetic I have to watch my carbs.", "condition=diabetic|diabetes"],
    ["No pork for us, we're Muslim.", "tagged; religion=Muslim; avoids=pork|"],
  ],
  aims: [
    [
      "I'm thinking of learning the accordion.",
      "has accordion; never hobby=playing the accordion; never learning=accordion",
    ],
    [
      "Two things on my bucket list: skydiving and seeing Petra.",
      "has Petra; is goal|fact; never name=",
    ],
    [
      "My sister and I are off hiking in Madeira on Sunday.",
      "has Madeira; on 2026-03-22; never lives_in=",
    ],
    [
      "I owe Bettina an answer by the end of the week.",
      "has Bettina; is todo|fact|event; never name=",
    ],
    [
      "Could you make sure I don't forget my mum's birthday on Friday?",
      "has birthday; on 2026-03-20; never birthday=",
    ],
    [
      "I'm going to say yes to the Edinburgh offer, decision made.",
      "has Edinburgh; never lives_in=",
    ],
  ],
  events: [
    ["I was in a car crash two years ago.", "has crash; on 2024-03; is event"],
    ["I gave my notice on the flat yesterday.", "has flat; on 2026-03-17; never lives_in="],
    ["My graduation is on 5 June.", "has graduation; on 2026-06-05"],
    ["Four days ago our boiler packed in.", "has boiler; on 2026-03-14"],
  ],
  change: [
    [
      "I've moved on from Java, it's all Kotlin for me now.",
      "programming_language=Kotlin|; has Kotlin; never programming_language=Java",
    ],
    ["I haven't been vegan for years, I eat everything now.", "never diet=vegan"],
    ["My boyfriend? We broke up.", "never partner="],
    ["I no longer go by Kathy, it's Kat now.", "nickname=Kat; never nickname=Kathy"],
    [
      "My sister isn't a nurse, she's a midwife.",
      "user's sister.job_title=midwife; never job_title=",
    ],
  ],
  others: [
    ["Granny Agnes swears by cod liver oil.", "grandparent=Agnes|; never uses=; has cod liver oil"],
    ["Lucia from my choir just moved to Parma.", "lucia.lives_in=Parma; never lives_in="],
    ["Both of my brothers work at Škoda.", "never works_at=; has Škoda"],
    [
      "My therapist thinks I'm a perfectionist.",
      "never job_title=; ?identity=perfectionist; has perfectionist",
    ],
    ["assistant:The user mentioned having two sons.", "?children=2; has two sons"],
  ],
  silence: [
    ["Any chance you know my wife's name?", "nothing"],
    ["So what if I'm 60?", "nothing"],
    ["I feel like I live at the airport.", "never lives_in="],
    ["This app is driving me nuts.", "never dislikes=app"],
    ["I'm Batman.", "never name=Batman"],
    ["The ad said: work from home, earn 5000 a month.", "never works_at="],
    ["Suppose my birthday were tomorrow.", "nothing"],
    ["Play a game where I'm a detective called Miles.", "nothing"],
    ["What do you mean, I'm allergic?", "nothing"],
    ["My bad, wrong chat.", "nothing"],
    ["assistant:Noted: you live in Porto.", "nothing"],
    ["$ whoami\nroot", "nothing"],
    ["Olen opettaja ja asun Turussa.", "nothing"],
  ],
};
