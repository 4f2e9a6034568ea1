/**
 * Facts among other text: several in one sentence, in long messages, in conversations, and in
 * unusual words.
 */
import type { Sayings } from "./saying.ts";

export const LONG: Sayings = {
  multi_fact: [
    [
      "I'm Lena, 29, a graphic designer from Bremen living in Antwerp.",
      "name=Lena; age=29; job_title=graphic designer; from=Bremen; lives_in=Antwerp",
    ],
    [
      "I work at Zalando, live in Berlin and have a dog called Kiki.",
      "works_at=Zalando; lives_in=Berlin; pet=Kiki",
    ],
    [
      "I speak Greek, play the oud and hate mornings.",
      "speaks=Greek; hobby=playing the oud|oud; dislikes=mornings",
    ],
    [
      "My wife Mei is from Taipei and our son Kai is four.",
      "spouse=Mei; mei.from=Taipei; child=Kai; kai.age=4; never age=; never from=",
    ],
    ["I'm vegan and allergic to soy, and I don't drink.", "diet=vegan; allergic_to=soy"],
    [
      "I moved to Graz in 2020, got married in 2022 and became a teacher last year.",
      "lives_in=Graz; marital_status=married; job_title=teacher",
    ],
    ["I love swimming, but I can't stand the cold.", "likes=swimming; dislikes=cold"],
    [
      "I left Meta, joined Hugging Face and moved to Paris.",
      "worked_at=Meta; works_at=Hugging Face; lives_in=Paris",
    ],
    [
      "Both my brother Jan and my sister Eva are doctors.",
      "sibling=Jan; sibling=Eva; never job_title=",
    ],
    ["I use Arch at home and Neovim everywhere.", "os=Arch; editor=Neovim"],
    ["A nurse by training, I now run a café in Delft.", "never works_at=café; has café"],
    [
      "Born in Oslo, raised in Bergen, now in Rome for love.",
      "lives_in=Rome; ?from=Oslo|Bergen; never lives_in=Oslo",
    ],
    [
      "I'm a mum of two, I work part-time at Boots, and I'm learning BSL.",
      "tagged; children=2; works_at=Boots; learning=BSL",
    ],
    [
      "My sister Ada lives in York, my brother Ben in Hull.",
      "sibling=Ada; ada.lives_in=York; sibling=Ben; never lives_in=",
    ],
  ],
  multi_sentence: [
    [
      "Hi! Thanks for the tips yesterday. So, a bit about me: I'm Farid, I live in Tunis and I work as a pharmacist. Could you suggest a weekend trip? I prefer the coast.",
      "name=Farid; lives_in=Tunis; job_title=pharmacist; prefers=coast",
    ],
    [
      "Sorry for the late reply, it was a crazy week. My daughter Nell started school on Monday! She's six. Anyway, can you help me plan meals? We don't eat pork.",
      "child=Nell; nell.age=6; avoids=pork; never age=",
    ],
    [
      "I've been thinking a lot lately. In January I left Deloitte. Since then I've been freelancing. Any advice on taxes?",
      "worked_at=Deloitte; works_at!=Deloitte; employment=freelance",
    ],
    [
      "ok so the thing is, i live in ghent with my boyfriend tom, and the landlord wants to sell. what are my rights??",
      "lives_in=Ghent; partner=Tom",
    ],
    [
      "Could you help me with a workout plan? I'm 51, I have a bad knee and I only have dumbbells at home. No running please!",
      "age=51; never hobby=running",
    ],
    [
      "The trip was lovely, thanks for asking. We saw two castles. By the way I've switched to decaf; caffeine gives me migraines.",
      "never owns=castles; has decaf",
    ],
    [
      "I read your article on bread. My grandmother Filomena taught me to bake. She was from Bari. Do you think rye would work?",
      "tagged; grandparent=Filomena; filomena.from=Bari; never from=",
    ],
    [
      "Write me a packing list for Iceland. I hate being cold, I don't own hiking boots, and I'm leaving on 2 April.",
      "dislikes=being cold; never owns=; never lives_in=",
    ],
    [
      "My dog Otis is limping. He's a beagle, eleven years old. Should I worry? I've called the vet already.",
      "pet=Otis; otis.breed=beagle; never age=; never todo=",
    ],
    [
      "Good morning! It's raining here in Bergen. I've got an interview at Equinor on Tuesday and I'm nervous. Any tips?",
      "never works_at=; has Equinor; on 2026-03-24",
    ],
  ],
  transcript: [
    [
      "Ana: I just moved to Leeds. // Ben: Nice! I'm still at the BBC.",
      "ana.lives_in=Leeds; ?ben.works_at=BBC; never lives_in=",
    ],
    [
      "Omar: My sister Dina is a violinist. // Ruth: Wow. I play the viola myself.",
      "omar.sibling=Dina; dina.job_title=violinist; ruth.hobby=playing the viola|viola",
    ],
    [
      "Ivy: Do you still live in York? // Max: No, I moved to Derby in May.",
      "max.lives_in=Derby; never ivy.lives_in=; on 2025-05",
    ],
    [
      "Lea: I'm vegan now. // Tom: I could never, I love cheese.",
      "lea.diet=vegan; tom.likes=cheese",
    ],
    ["Update: I live in Nîmes now.", "lives_in=Nîmes"],
    ["PS: my cat is called Tinto.", "pet=Tinto; never name="],
  ],
  hard: [
    ["Twenty years a Londoner and I still get lost on the Tube.", "never age="],
    [
      "The missus and I tied the knot in 2009.",
      "?marital_status=married; on 2009; has knot|married",
    ],
    ["My better half, Solveig, keeps bees.", "partner=Solveig; never hobby=; never pet="],
    ["Meat hasn't touched my plate since 2017.", "never likes=meat; from 2017"],
    ["I swear by my Moka pot.", "has Moka pot"],
    ["Three kids under ten, so sleep is a luxury.", "?children=3; never age="],
    ["Got the keys to our new flat in Cardiff yesterday!", "on 2026-03-17; has Cardiff"],
    ["My left knee's been playing up ever since the marathon.", "has knee; never lives_in="],
    ["We said goodbye to our old cat Felix last week.", "on 2026-03-09; has Felix"],
    ["My mother-in-law thinks I'm a banker.", "never job_title="],
    ["Between you and me, I've had it with Zurich.", "never lives_in=Zurich"],
    ["Ten years sober this May.", "has sober; never age="],
    [
      "It's official: Dr. Amaka Obi, at your service!",
      "?name=Amaka Obi; ?name=Dr. Amaka Obi; never works_at=",
    ],
    ["The doctor says no more salt for me.", "has salt; never likes="],
    ["Not my first rodeo: I've shipped four games at Ubisoft.", "never owns=; never works_at="],
    ["You'd never guess I'm from Naples, given how I cook.", "?from=Naples; never lives_in="],
    ["I was going to buy a boat, but then I didn't.", "never owns="],
    ["My old boss at Fujitsu still calls me.", "never works_at=Fujitsu"],
    [
      "Everyone assumes I'm Danish; I'm actually from Norway.",
      "from=Norway; never nationality=Danish",
    ],
    [
      "In three days it's my parents' golden anniversary.",
      "on 2026-03-21; has anniversary; never marital_status=",
    ],
  ],
};
