/** Round 13, in typical chat sentences: who people are, and what they like, do and own. */
import type { Sayings } from "./saying.ts";

export const FAMILY: Sayings = {
  name: [
    ["Allow me to introduce myself, I'm Florentina.", "tagged; name=Florentina"],
    ["They named me Casimir after my great-grandfather.", "tagged; name=Casimir"],
    [
      "My surname is Achterberg, first name Lotte.",
      "tagged; name=Lotte|Lotte Achterberg; never name=Achterberg",
    ],
    ["hiya, tomasz here :)", "never name=hiya; ?name=tomasz"],
  ],
  nickname: [
    ["My brothers call me Tank.", "nickname=Tank; never sibling=Tank"],
    ["Online I go by Nightjar.", "nickname=Nightjar; never name=Nightjar"],
    ["I prefer they/them pronouns, thanks.", "pronouns=they/them"],
  ],
  age: [
    ["I'm in my late thirties.", "never age=; has thirties"],
    ["I've just turned sixteen.", "age=16"],
    ["I'll be celebrating my 70th on 9 August.", "never age=70; on 2026-08-09"],
    ["My birthday's the 21st of September.", "birthday=09-21"],
    ["Born in 1985, so I'm 40 now.", "age=40"],
    ["I'm nineteen and at university.", "age=19"],
  ],
  home: [
    ["I've called Lisbon home since 2018.", "tagged; lives_in=Lisbon; from 2018"],
    ["We've been living out in Connemara for a decade.", "lives_in=Connemara"],
    [
      "I'm a Londoner born and bred.",
      "?from=London; has Londoner|London; never name=Londoner; never job_title=",
    ],
    ["I stay in Accra with my aunt.", "lives_in=Accra"],
    ["Originally I'm from Trondheim.", "from=Trondheim"],
    ["My hometown is Oaxaca.", "from=Oaxaca"],
    ["My postal address is Postbus 12, Leiden.", "address=Postbus 12, Leiden"],
    ["I grew up on a farm outside Ballarat.", "tagged; from=farm outside Ballarat|Ballarat"],
    ["These days you'll find me in Split.", "tagged; lives_in=Split"],
  ],
  moved: [
    ["We upped sticks and moved to Cornwall last spring.", "lives_in=Cornwall"],
    ["I moved out of my parents' place in January.", "has parents; on 2026-01; never lives_in="],
    ["For eight years I lived in Hanoi.", "lived_in=Hanoi; never lives_in=Hanoi"],
    [
      "In 2020 I moved from Bilbao to Ghent for a PhD.",
      "lives_in=Ghent; ?lived_in=Bilbao; on 2020",
    ],
    ["Next week I'm moving in with my boyfriend.", "has boyfriend; on 2026-03-23; never lives_in="],
    [
      "We've just bought a house in Tromsø and moved in last Friday.",
      "?lives_in=Tromsø; has Tromsø; on 2026-03-13",
    ],
  ],
  work: [
    ["I've worked for the Red Cross since 2015.", "works_at=Red Cross; from 2015"],
    ["I drive a tram in Melbourne.", "has tram; never owns=tram"],
    [
      "I'm a software engineer at a fintech in Lagos.",
      "job_title=software engineer; ?works_at=fintech in Lagos; ?works_at=fintech; ?lives_in=Lagos",
    ],
    [
      "My role at Siemens is quality manager.",
      "tagged; job_title=quality manager; works_at=Siemens",
    ],
    ["I'm a trainee solicitor.", "job_title=trainee solicitor|solicitor"],
    ["I run a small pottery studio from home.", "has pottery; never hobby!=pottery"],
    ["I'm unemployed at the moment, looking for something in logistics.", "employment=unemployed"],
    [
      "I'm a stay-at-home mum to two boys.",
      "?children=2; ?job_title=stay-at-home mum; has stay-at-home",
    ],
    ["Been self-employed since the pandemic.", "employment=self-employed"],
  ],
  job_change: [
    ["I got the job at the zoo! I start in May.", "has zoo; on 2026-05"],
    [
      "I resigned from the council last week.",
      "has council; on 2026-03-09; never works_at=council",
    ],
    ["I've switched from nursing to teaching.", "has teaching; never works_at="],
    [
      "As of Monday I'm the new deputy head.",
      "job_title=deputy head|new deputy head; has deputy head",
    ],
    ["I left KPMG to start my own firm.", "worked_at=KPMG; works_at!=KPMG"],
    ["I stopped working in 2022 and have been retired ever since.", "employment=retired"],
  ],
  education: [
    [
      "I'm reading history at Trinity College Dublin.",
      "studies=history; studies_at=Trinity College Dublin",
    ],
    ["I finished my apprenticeship last summer.", "has apprenticeship; on 2025-06|2025-07"],
    ["I have a doctorate in theology.", "degree=doctorate in theology"],
    [
      "My son started at Bergen Cathedral School in August.",
      "never studies_at=; on 2025-08; has Cathedral School",
    ],
    ["I'm back at school, training to be a physio.", "has physio; never job_title=physio"],
    ["I did my undergrad at McGill.", "tagged; studied_at=McGill; never studies_at="],
  ],
  family: [
    ["My partner of ten years is called Rosalie.", "partner=Rosalie"],
    [
      "I have an older sister, Henrike, and a younger brother, Malte.",
      "sibling=Henrike; sibling=Malte",
    ],
    [
      "Our daughter was born on 2 February, we called her Juno.",
      "child=Juno; on 2026-02-02; never birthday=",
    ],
    [
      "I'm the youngest of five.",
      "?siblings=4; has youngest; never job_title=; never children=; never age=5",
    ],
    [
      "Jürgen and I have been married for 30 years.",
      "tagged; spouse=Jürgen|; ?marital_status=married; has Jürgen",
    ],
    ["I'm a widower.", "marital_status=widowed"],
    ["My stepdad Colm taught me to fish.", "parent=Colm; never hobby="],
    ["I'm recently separated.", "marital_status=separated"],
    ["We've got four grandchildren.", "never children=4; has grandchildren"],
    [
      "My cousin Imani is getting married in Mombasa in December.",
      "relative=Imani; never marital_status=; on 2026-12",
    ],
    ["My dad's called Ignatius.", "parent=Ignatius"],
  ],
  pets: [
    ["My old greyhound goes by Mr Bean.", "pet=Mr Bean; never name="],
    ["There are two guinea pigs in our house, Nip and Tuck.", "tagged; pet=Nip; pet=Tuck"],
    ["I just got a Siamese kitten!", "pet=Siamese kitten|kitten; never nationality="],
    ["Our rabbit Clover had babies.", "pet=Clover; never child="],
    ["I keep bees and a few hens.", "tagged; pet=hens|few hens|; has bees; ?pet=bees"],
  ],
  languages: [
    [
      "I speak fluent Portuguese and passable Russian.",
      "speaks=Portuguese; speaks=Russian|passable Russian",
    ],
    [
      "I was brought up bilingual in German and Turkish.",
      "tagged; speaks=German; speaks=Turkish; never from=",
    ],
    ["My first language is Sinhala.", "native_language=Sinhala"],
    ["I forgot most of my Latin.", "never speaks=Latin"],
  ],
  diet: [
    ["I'm mostly plant-based these days.", "diet=plant-based"],
    ["Dairy's off limits, I'm allergic to milk.", "allergic_to=milk"],
    [
      "I haven't touched alcohol since 2019.",
      "tagged; avoids=alcohol|; has alcohol; never likes=alcohol; never hobby=",
    ],
    [
      "Penicillin gives me a rash, I'm allergic to it.",
      "tagged; allergic_to=penicillin; never allergic_to=it",
    ],
    ["My two kids are both coeliac.", "never condition=; has coeliac; ?children=2"],
    ["I stay away from fried food.", "avoids=fried food"],
    ["I don't eat anything with a face.", "never avoids=anything; ?avoids=anything with a face"],
    ["My diet is halal.", "diet=halal"],
  ],
  likes: [
    ["I'm really fond of Georgian wine.", "likes=Georgian wine; never nationality="],
    ["I absolutely adore thunderstorms.", "likes=thunderstorms"],
    [
      "Escape rooms are so much fun, I love doing them.",
      "never likes=them; has escape rooms|Escape",
    ],
    ["Clowns creep me out.", "tagged; dislikes=clowns; never likes=clowns"],
    ["I'm not much of a coffee drinker.", "never likes=coffee; has coffee; never job_title="],
    ["I have a thing for brutalist architecture.", "likes=brutalist architecture"],
    [
      "I hate it when people chew loudly.",
      "?dislikes=people chewing loudly; has chew; never dislikes=it",
    ],
    ["I enjoy long train journeys and crosswords.", "likes=long train journeys; likes=crosswords"],
    ["Raisins in cookies are an abomination to me.", "never likes=raisins; has raisins"],
  ],
  favorites: [
    ["My favourite pasta shape is orecchiette.", "favorite_pasta_shape=orecchiette"],
    ["If I had to choose, my favourite Bond is Dalton.", "never name="],
    [
      "Number one on my list of favourite cities: Naples.",
      "?favorite_city=Naples; never lives_in=",
    ],
    ["Dune is my all-time favourite book.", "favorite_book=Dune"],
    [
      "Tuesdays are my favourite day of the week.",
      "favorite_day=Tuesdays|Tuesday|; ?favorite_day_of_the_week=Tuesdays; ?favorite_day=Tuesdays; never habit=",
    ],
  ],
  prefers: [
    ["Please reply in bullet points whenever you can.", "is preference; has bullet points"],
    ["I'd prefer a hotel to a hostel.", "prefers=hotel"],
    ["Metric, please, never imperial.", "?prefers=metric; never likes=imperial"],
    ["Skip the disclaimers when you answer me.", "is preference; has disclaimers"],
    ["Cats over dogs, any day.", "prefers=cats; never pet="],
  ],
  hobby: [
    ["I'm part of an amateur dramatics group.", "has dramatics; never works_at=; never job_title="],
    ["In my downtime I build model ships.", "hobby=building model ships|model ships"],
    ["Lately I've been really into sourdough baking.", "hobby=sourdough baking"],
    ["I do ceramics at a community studio.", "hobby=ceramics"],
    ["I knit, I crochet and I quilt.", "hobby=knitting; hobby=crocheting; hobby=quilting"],
    [
      "I coach the under-tens at our local football club.",
      "has under-tens; never job_title=; never works_at=",
    ],
  ],
  owns: [
    ["I recently treated myself to a Leica.", "owns=Leica"],
    [
      "My husband and I own a vineyard near Bordeaux.",
      "owns=vineyard near Bordeaux|vineyard; never lives_in=",
    ],
    ["We finally got a dishwasher last weekend.", "tagged; owns=dishwasher; on 2026-03-14"],
    ["There's a grand piano in my living room.", "tagged; ?owns=grand piano; has grand piano"],
    ["I drive an electric Renault.", "owns=electric Renault"],
  ],
  tools: [
    ["We've moved our database to CockroachDB.", "database=CockroachDB"],
    ["I do my invoices in Lexware.", "uses=Lexware"],
    ["For shell I use nushell.", "shell=nushell"],
    ["I write all my scripts in Perl.", "programming_language=Perl"],
  ],
};
