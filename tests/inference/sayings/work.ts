/** Round 9, written without reading the rules: who people are, where they live, work and study. */
import type { Sayings } from "./saying.ts";

export const WORK: Sayings = {
  name: [
    ["Hey, Priscilla here, new to this.", "name=Priscilla"],
    ["The name's Ravindra, pleased to meet you!", "name=Ravindra"],
    ["Before we begin: you're talking to Oksana Melnyk.", "tagged; name=Oksana Melnyk"],
    ["I was christened Bartholomew, though nobody uses it.", "name=Bartholomew"],
    ["My parents named me Wilhelmina.", "name=Wilhelmina"],
    [
      "So, introductions. I'm Desmond and I'll be using this for my allotment notes.",
      "name=Desmond",
    ],
    ["I recently changed my name to Robin.", "tagged; name=Robin"],
  ],
  nickname: [
    ["Most people just call me Dee.", "nickname=Dee"],
    [
      "At school they used to call me Beanpole, but these days it's Bea.",
      "tagged; nickname=Bea; never nickname=Beanpole; never name=Beanpole",
    ],
    ["My nickname is Moose.", "nickname=Moose"],
    ["Pronouns: she/they.", "pronouns=she/they"],
    ["I use he/him, in case it comes up.", "pronouns=he/him"],
    ["Please refer to me as they/them.", "tagged; pronouns=they/them"],
  ],
  age: [
    ["I'm 52, so no spring chicken.", "age=52"],
    ["Just celebrated my 30th birthday on Saturday!", "age=30; on 2026-03-14"],
    ["I'll be 45 in November.", "never age=45; on 2026-11"],
    ["My date of birth is 14 February 1979.", "birthday=1979-02-14"],
    ["I'm a Halloween baby, born on 31 October.", "birthday=10-31"],
    ["As a 63-year-old I find the font too small.", "age=63"],
    ["At sixty-one I'm the oldest in my class.", "tagged; age=61"],
    ["I was born in 1990, on the 9th of June.", "birthday=1990-06-09"],
  ],
  home: [
    [
      "Currently in Ljubljana, been here since the summer of 2022.",
      "lives_in=Ljubljana; from 2022",
    ],
    ["My flat is in Gothenburg.", "tagged; lives_in=Gothenburg"],
    ["I reside in Montevideo.", "lives_in=Montevideo"],
    ["We have a little house in Aarhus where we live with our kids.", "lives_in=Aarhus"],
    ["Born and bred in Liverpool.", "from=Liverpool"],
    [
      "I come from a tiny village near Pécs.",
      "tagged; from=tiny village near Pécs|village near Pécs|near Pécs|Pécs",
    ],
    [
      "I'm a Glasgow girl originally but I've been in Bristol for eight years now.",
      "tagged; from=Glasgow; lives_in=Bristol; from 2018",
    ],
    ["I hail from Saskatchewan.", "from=Saskatchewan"],
    ["I rent a studio in the centre of Bologna.", "lives_in=centre of Bologna|Bologna"],
    [
      "You can send it to 8 Harbour Street, Cork, that's where I live.",
      "tagged; address=8 Harbour Street, Cork; ?lives_in=Cork; ?lives_in=8 Harbour Street, Cork",
    ],
    [
      "I split my time between Madrid and Lima.",
      "has Lima; ?lives_in=Madrid; ?lives_in=Lima; ?lives_in=Madrid and Lima",
    ],
    [
      "Home is wherever the van is parked.",
      "?lives_in=van; never lives_in=wherever the van is parked",
    ],
  ],
  moved: [
    [
      "As of last week we're Rotterdammers: the move from Utrecht is done.",
      "never lives_in=Utrecht; has Utrecht|Rotterdam",
    ],
    ["In September I packed my bags and moved to Valparaíso.", "lives_in=Valparaíso; on 2025-09"],
    ["I've just moved back to Zagreb after three years abroad.", "lives_in=Zagreb"],
    ["I lived in Osaka until 2017.", "tagged; lived_in=Osaka; to 2017"],
    ["I spent my twenties in Berlin, now I'm in Leeds.", "lives_in=Leeds; ?lived_in=Berlin"],
    [
      "We're relocating to Calgary at the end of May.",
      "never lives_in=Calgary; has Calgary; on 2026-05",
    ],
    [
      "I left Caracas in 2016 and settled in Bogotá.",
      "lives_in=Bogotá; ?lived_in=Caracas; never works_at=Caracas; never worked_at=Caracas",
    ],
    [
      "My partner and I swapped London for the Isle of Skye in 2020.",
      "tagged; lives_in=Isle of Skye|Skye; on 2020",
    ],
    [
      "I don't live in Prague any more, I moved to Brno in the autumn.",
      "lives_in=Brno; lives_in!=Prague",
    ],
  ],
  work: [
    [
      "I'm with Lufthansa, in the cargo department.",
      "tagged; works_at=Lufthansa|Lufthansa, in the cargo department",
    ],
    ["I'm an electrician by trade.", "job_title=electrician"],
    ["My employer is the city of Tampere.", "works_at=city of Tampere"],
    ["I do accounting for a small theatre.", "has theatre; ?works_at=small theatre"],
    ["Professionally I'm a tax adviser.", "job_title=tax adviser"],
    ["My day job is bus driver.", "tagged; job_title=bus driver"],
    ["I've been a midwife for twenty years.", "job_title=midwife; from 2006"],
    [
      "I'm on the night shift at the Amazon warehouse in Leipzig, so I sleep during the day.",
      "tagged; works_at=Amazon warehouse in Leipzig|Amazon warehouse|Amazon; never lives_in=",
    ],
    ["I make a living as a session drummer.", "tagged; job_title=session drummer"],
    ["I'm head of procurement at Maersk.", "job_title=head of procurement; works_at=Maersk"],
    ["I work in HR for a hospital chain.", "works_at=hospital chain; never lives_in="],
    ["I am currently unemployed.", "employment=unemployed"],
    ["I've been out of work since January.", "employment=unemployed; from 2026-01"],
    ["I'm on parental leave until September.", "employment=parental leave; to 2026-09"],
    [
      "I've been freelancing since 2019, mostly illustration.",
      "employment=freelance; from 2019",
    ],
  ],
  job_change: [
    ["I'm starting a new job at Heineken on 1 April!", "has Heineken; on 2026-04-01"],
    ["I got laid off from Intel in November.", "worked_at=Intel; works_at!=Intel; on 2025-11"],
    [
      "After nine years I handed in my notice at Deloitte yesterday.",
      "has Deloitte; on 2026-03-17; never works_at=Deloitte",
    ],
    ["They made me head chef last month.", "tagged; job_title=head chef; on 2026-02"],
    ["I was promoted to captain in 2023.", "job_title=captain; on 2023"],
    ["I've joined the fire brigade as a volunteer.", "has fire brigade; ?works_at=fire brigade"],
    [
      "I swapped teaching for gardening; I'm a landscape gardener now.",
      "job_title=landscape gardener",
    ],
    [
      "My last day at Ericsson was on Friday.",
      "has Ericsson; on 2026-03-13; never works_at=Ericsson",
    ],
    ["I switched jobs in the summer, I'm at Novartis now.", "works_at=Novartis"],
    ["I previously worked at Nestlé.", "worked_at=Nestlé; never works_at=Nestlé"],
    ["I've gone into early retirement.", "employment=retired"],
  ],
  education: [
    [
      "I'm in my third year of law at Uppsala University.",
      "tagged; studies=law; studies_at=Uppsala University",
    ],
    [
      "I'm majoring in economics with a minor in French.",
      "studies=economics|economics with a minor in French",
    ],
    ["I did my bachelor's in Groningen.", "has Groningen; never lives_in="],
    [
      "I got my PhD in microbiology from KU Leuven in 2014.",
      "degree=PhD in microbiology; studied_at=KU Leuven; on 2014",
    ],
    ["I dropped out of university in 2009.", "has university; on 2009; never studies_at="],
    [
      "I'm enrolled at the Open University, doing computing.",
      "studies_at=Open University; ?studies=computing",
    ],
    [
      "I studied architecture at TU Delft.",
      "tagged; studied_at=TU Delft; never studies_at=TU Delft",
    ],
    [
      "I'm a student at the conservatory in Graz.",
      "tagged; studies_at=conservatory in Graz|conservatory; ?employment=student",
    ],
    ["I have an MBA.", "degree=MBA"],
    ["I'm writing my thesis on coral bleaching.", "has coral bleaching"],
  ],
  family: [
    ["My husband's name is Goran.", "spouse=Goran"],
    ["Tell you what, my wife Noor would love this.", "spouse=Noor"],
    ["We're expecting our first baby in July.", "has baby; on 2026-07"],
    ["I'm a mum of three.", "tagged; children=3"],
    ["My boyfriend Kofi and I met in Accra.", "partner=Kofi; never lives_in="],
    ["I'm an only child.", "?siblings=0; never children="],
    ["I have a twin brother, Aleksi.", "sibling=Aleksi"],
    ["I've got two boys and a girl.", "?children=3; has girl"],
    ["Our son, whose name is Emil, started school in August.", "child=Emil; on 2025-08"],
    ["My grandmother Edith is 94.", "grandparent=Edith; edith.age=94; never age=94"],
    ["My mother-in-law is called Svetlana.", "relative=Svetlana"],
    ["My fiancée is Greek and her name is Eleni.", "partner=Eleni; never nationality=Greek"],
    ["I lost my father in 2018.", "has father; on 2018"],
    ["My flatmate Jorge is a baker.", "jorge.job_title=baker; never job_title=baker"],
    ["I've been single since last summer.", "marital_status=single"],
    ["I'm newly married, the wedding was on 7 March.", "marital_status=married; on 2026-03-07"],
    [
      "My ex-husband lives in Turin with his new wife.",
      "never spouse=; never lives_in=; never marital_status=married",
    ],
    ["We named our baby girl Saga.", "child=Saga; never name=Saga"],
  ],
  pets: [
    ["I've got a ginger tomcat called Marmalade.", "pet=Marmalade"],
    ["My dog's name is Odin.", "pet=Odin; odin.species=dog"],
    ["We have three chickens in the garden.", "pet=chickens|three chickens|3 chickens"],
    [
      "I picked up a puppy from the shelter on Sunday, we called him Waffles.",
      "pet=Waffles; on 2026-03-15",
    ],
    ["Our two cats are Salt and Pepper.", "pet=Salt; pet=Pepper"],
    ["Meet Zorro, my 4-year-old Dalmatian.", "pet=Zorro; never age=4; never name=Zorro"],
    ["Sadly our hamster died last week.", "has hamster; on 2026-03-09; never pet=hamster"],
    ["I don't have any pets.", "never pet="],
    ["My budgie Pico keeps me company.", "pet=Pico; pico.species=budgie"],
  ],
  languages: [
    ["I'm bilingual: English and Welsh.", "speaks=English; speaks=Welsh"],
    [
      "I grew up speaking Catalan at home.",
      "speaks=Catalan; ?native_language=Catalan; has Catalan; never from=",
    ],
    ["My native language is Farsi.", "native_language=Farsi"],
    ["I'm brushing up my Italian before the trip.", "has Italian; never nationality=Italian"],
    ["I can get by in Arabic.", "speaks=Arabic"],
    ["I don't speak a word of German.", "never speaks=German"],
    [
      "Spanish is my mother tongue and I also speak decent English.",
      "tagged; native_language=Spanish; speaks=English|decent English",
    ],
    [
      "I'm teaching myself to play the ukulele.",
      "tagged; learning=to play the ukulele|the ukulele|ukulele|play the ukulele|playing the ukulele",
    ],
  ],
};
