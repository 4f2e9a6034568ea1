/** A twenty-fifth round: what a second reader of the rules saw misread. */
import type { Sayings } from "./saying.ts";

export const TWENTY_FIFTH: Sayings = {
  twenty_fifth_others: [
    ["You can reach my wife at anna@x.org.", "never email="],
    ["Call my office at 555 123 4567.", "never phone="],
    ["Email Tom at tom@x.org.", "never email="],
    ["Text me on 555 123 4567.", "phone=555 123 4567"],
    ["Reach my work phone at 555 123 4567.", "phone=555 123 4567"],
  ],
  twenty_fifth_alike: [
    [
      "I love cilantro, just like my sister.",
      "likes=cilantro; never likes=just; never likes=my sister",
    ],
    ["I live in Rome, like my brother.", "lives_in=Rome; never likes=my brother"],
  ],
  twenty_fifth_days: [
    ["My birthday is the day before Christmas.", "never birthday="],
    ["My birthday is on Christmas.", "birthday=12-25"],
    ["I turned 18 in 2010.", "never age="],
    ["I turned 40 last month.", "age=40"],
    ["My name was Ana before I changed it to Alex.", "name=Alex; never name=Ana"],
  ],
  twenty_fifth_todos: [
    ["I hate using Windows but I have to at work.", "dislikes=using Windows; never todo="],
    ["I must be getting old.", "never todo=; is fact|event|observation"],
    [
      "Don't let me forget Anna's birthday on 5 May.",
      "todo=remember Anna's birthday; has remember Anna's birthday; on 2026-05-05",
    ],
    ["My last name is Rose.", "is fact|identity"],
  ],
  twenty_fifth_figures: [
    ["I love Mondays, said no one ever.", "nothing"],
    ["I'm a bit of a coffee nerd.", "likes=coffee; never likes=bit of a coffee"],
    ["I'm kind of a nerd.", "never likes="],
    ["I'm a bit of a nerd.", "never likes="],
    ["I love to hate this show.", "never likes="],
    ["I'm a nurse at heart.", "never works_at=; never job_title="],
    ["I'm working at a cafe today.", "never works_at="],
    ["I'm working with Tom on the report.", "never uses="],
    ["I'm working with Django.", "framework=Django"],
    ["I speak every language except French.", "never speaks="],
  ],
  twenty_fifth_guesses: [
    ["I think I have ADHD.", "never condition="],
    ["I guess I'm diabetic.", "never condition="],
    ["I think I'm allergic to cats.", "never allergic_to="],
    ["I think I have a cat.", "pet=cat"],
    ["My email isn't lea@x.org but lea@y.org.", "email=lea@y.org; never email=lea@x.org"],
    ["My number isn't 555 123 4567 but 555 123 4568.", "phone=555 123 4568"],
    ["We put our dog Rex to sleep on Monday.", "pet!=Rex; never pet=Rex"],
  ],
  twenty_fifth_former: [
    ["My late husband was called Robert.", "spouse!=Robert; marital_status=widowed; never spouse="],
    ["I miss my late husband Robert.", "never spouse="],
    ["My late father was called Otto.", "parent=Otto"],
    ["My childhood dog was called Buddy.", "never pet="],
    ["My first wife Ana lives in Rome.", "never spouse=; ana.lives_in=Rome"],
    ["My first child is called Ana.", "child=Ana"],
  ],
  twenty_fifth_undone: [
    ["I switched from Windows to Linux but went back.", "never os="],
    ["I moved to Oslo but I moved back.", "never lives_in="],
    ["I moved to Oslo and moved back to Bergen.", "lives_in=Bergen"],
    ["I went vegan, but it didn't last.", "never diet="],
    ["I'm vegan. Not really.", "nothing"],
    ["I like tea. // assistant: Do you smoke? // Not really.", "likes=tea"],
    ["I work at Bosch. // I mean I used to.", "never works_at="],
  ],
  twenty_fifth_together: [
    ["Tom and I work at Bosch.", "works_at=Bosch; has User and Tom work at Bosch"],
    ["Tom, Ana and I live in Rome.", "lives_in=Rome; has User and Tom, Ana live"],
    [
      "My brother, my sister and I live in Rome.",
      "lives_in=Rome; has User and their brother, their sister live",
    ],
    ["Tom and I got married.", "spouse=Tom; marital_status=married"],
    ["Tom and I broke up.", "partner!=Tom"],
    ["I play tennis with Tom on Sundays.", "hobby=playing tennis"],
    ["I bake bread with my kids on weekends.", "hobby=baking bread"],
    ["My cat Mia is six. She's brought us much joy.", "has Mia has brought"],
  ],
  twenty_fifth_passing: [
    ["I'm tired after work.", "nothing"],
    ["I'm so hungry after that long walk.", "nothing"],
  ],
  twenty_fifth_fresh: [
    ["I hate phone calls, email me instead.", "dislikes=phone calls; never dislikes=email me"],
    ["I work night shifts at St Thomas' Hospital.", "works_at=St Thomas' Hospital"],
    ["She asked me whether I liked opera.", "nothing"],
    ["I'm trying to read more this year.", "goal=read more; is goal"],
    ["My cat Pixel is a grumpy Maine Coon.", "pet=Pixel; pixel.breed=maine coon"],
    ["My dog Rex is not a poodle.", "never rex.breed="],
    ["No peanuts for me, I'm allergic.", "allergic_to=peanuts"],
  ],
};
