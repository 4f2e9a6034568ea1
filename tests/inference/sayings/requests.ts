/** Round 18: messages to an assistant that contain both requests and statements. */
import type { Sayings } from "./saying.ts";

export const REQUESTS: Sayings = {
  self: [
    ["Hi, Wendeline speaking. I got your number from a friend.", "name=Wendeline; never phone="],
    [
      "My name's spelled M-A-L-T-E, Malte, people always get it wrong.",
      "?name=Malte; never name=M",
    ],
    [
      "You may address me as Mrs Abernathy.",
      "tagged; ?name=Mrs Abernathy; ?nickname=Mrs Abernathy; has Abernathy",
    ],
    ["Everybody at the rink calls me Bolt.", "nickname=Bolt"],
    ["I'm 67 and still working, believe it or not.", "age=67"],
    ["I was born on the 4th of July, funnily enough.", "birthday=07-04"],
    [
      "I'm Turkish by descent but I have a German passport.",
      "nationality=German; ?nationality=Turkish",
    ],
    ["I'm ambidextrous, which confuses people.", "identity=ambidextrous"],
    ["Pronouns are they/them, name's Quinn.", "tagged; pronouns=they/them; name=Quinn"],
    ["As a Sikh, I don't cut my hair.", "religion=Sikh; never name="],
  ],
  places: [
    ["Hello from rainy Bergen, where I've lived since 2011.", "lives_in=Bergen; from 2011"],
    ["We moved into a flat in Leith two weeks ago.", "lives_in=Leith|flat in Leith; on 2026-03-04"],
    [
      "I'm a Geordie but I've lived in Kent for decades.",
      "lives_in=Kent; never name=; never job_title=",
    ],
    [
      "My address changed, it's now 9 Quay Street, Bristol.",
      "tagged; address=9 Quay Street, Bristol",
    ],
    ["I'm posted in Djibouti until August.", "?lives_in=Djibouti; has Djibouti; ?to 2026-08"],
    [
      "I grew up in Nairobi and moved to Leicester at 14.",
      "tagged; from=Nairobi; lives_in=Leicester; never age=14",
    ],
    ["Can you find me a plumber? I live in Tooting.", "lives_in=Tooting"],
    [
      "I left Venezuela in 2017 and have been in Madrid ever since.",
      "tagged; lives_in=Madrid; never worked_at=",
    ],
  ],
  work: [
    ["I work as a carer, mostly nights.", "job_title=carer"],
    [
      "I'm a self-taught web developer, currently freelancing.",
      "job_title=self-taught web developer|web developer; employment=freelance",
    ],
    ["I'm the head gardener at Kew.", "job_title=head gardener; works_at=Kew"],
    ["I have been with the BBC for eleven years.", "works_at=BBC; from 2015"],
    ["Just got hired at Patagonia, I'm over the moon!", "tagged; works_at=Patagonia"],
    [
      "I quit Uber in January to go back to school.",
      "worked_at=Uber; works_at!=Uber; never studies_at=",
    ],
    [
      "I've worked in kitchens all my life.",
      "has kitchens; never lives_in=; never works_at=kitchens",
    ],
    ["I'm on maternity leave at the moment.", "employment=parental leave"],
    ["My husband and I run a B&B in the Lake District.", "has B&B; never works_at=Lake District"],
    ["I'm an apprentice carpenter with a firm in Exeter.", "job_title=apprentice carpenter"],
    [
      "I handed in my resignation at Zalando on Monday.",
      "has Zalando; on 2026-03-16; never works_at=Zalando",
    ],
    ["Write me a out-of-office, I'm on leave until 2 April.", "never employment=parental leave"],
  ],
  study: [
    [
      "I'm doing a master's in data science at Tilburg.",
      "?studies=data science; ?studies_at=Tilburg; has data science",
    ],
    ["I study Korean literature in Seoul.", "studies=Korean literature; never learning=literature"],
    ["I have an engineering degree from Delft.", "degree=engineering degree; studied_at=Delft"],
    ["I'm a med student in my fifth year.", "has med student; never job_title="],
    ["Help me revise, I have a chemistry exam on Friday.", "has exam; on 2026-03-20"],
  ],
  family: [
    [
      "My wife Saoirse and I are expecting twins in September.",
      "spouse=Saoirse; on 2026-09; never child=",
    ],
    [
      "My son Elliot, 9, is dyslexic.",
      "tagged; child=Elliot; elliot.age=9; elliot.condition=dyslexic; never age=9",
    ],
    ["I'm the mother of a teenager called Pia.", "tagged; child=Pia"],
    ["My parents are called Bruno and Elsa.", "parent=Bruno; parent=Elsa"],
    [
      "We've been married since 2009, my husband Tariq and I.",
      "spouse=Tariq; ?marital_status=married",
    ],
    ["I have a half-brother in Perth, his name is Lachlan.", "sibling=Lachlan; never lives_in="],
    [
      "What do you get a man who has everything? My father-in-law Giorgio turns 80 on Saturday.",
      "relative=Giorgio; on 2026-03-21; never age=80",
    ],
    ["My ex and I share custody of our daughter Lux.", "child=Lux; never spouse="],
    ["I divorced my husband in 2022.", "tagged; marital_status=divorced; on 2022"],
    [
      "My grandson Teddy loves tractors.",
      "relative=Teddy; teddy.likes=tractors; never likes=tractors",
    ],
    [
      "Gift ideas for my girlfriend Mei? She's into astronomy.",
      "never hobby=astronomy; never likes=astronomy; has astronomy",
    ],
  ],
  pets: [
    [
      "My three cats, Athos, Porthos and Aramis, rule the house.",
      "pet=Athos; pet=Porthos; pet=Aramis",
    ],
    ["I've just adopted a greyhound, she's called Bluebell.", "pet=Bluebell"],
    ["Our hamster Biscuit escaped last night.", "pet=Biscuit; on 2026-03-17"],
    ["I look after my neighbour's dog.", "never pet="],
    ["We used to have a cat.", "never pet=cat"],
  ],
  health: [
    ["Suggest a workout please, I've got a bad knee.", "?condition=bad knee; has knee"],
    ["I'm allergic to aspirin, so what else can I take?", "allergic_to=aspirin"],
    ["I was diagnosed with MS in my twenties.", "condition=MS"],
    ["I've had type 2 diabetes for ten years.", "condition=type 2 diabetes; from 2016"],
    ["Since my stroke in 2024 I tire easily.", "has stroke; ?on 2024; never employment="],
    ["I take lisinopril for my blood pressure.", "medication=lisinopril"],
    [
      "We keep a gluten-free kitchen because my son is coeliac.",
      "never condition=coeliac; has gluten-free",
    ],
    [
      "I'm mostly vegetarian but I eat fish now and then.",
      "?diet=vegetarian; ?diet=pescatarian; has fish",
    ],
  ],
  taste: [
    ["I'm obsessed with Korean skincare.", "likes=Korean skincare"],
    ["I can't stand the sound of bagpipes.", "dislikes=sound of bagpipes"],
    ["Honestly, olives are disgusting.", "?dislikes=olives; never likes=olives"],
    ["Tea beats coffee, hands down.", "?prefers=tea; never likes=coffee; never prefers=coffee"],
    [
      "My favourite way to relax is pottery.",
      "?favorite_way_to_relax=pottery; ?favorite_way=pottery; ?hobby=pottery; has pottery",
    ],
    ["I enjoy a good thunderstorm.", "likes=good thunderstorm|thunderstorm"],
    ["I'm not that into superhero films.", "dislikes=superhero films"],
    [
      "Of all the seasons I like winter best.",
      "?favorite_season=winter; ?likes=winter; has winter",
    ],
    ["Please stop apologising in every answer.", "is preference; has apologising|apologizing"],
    [
      "Speak to me like a colleague, not a customer.",
      "?prefers=like a colleague; never job_title=",
    ],
  ],
  hobbies: [
    [
      "I've been playing the violin since I was seven.",
      "hobby=playing the violin|violin; never age=7",
    ],
    [
      "When I'm not working I'm usually on my bike.",
      "has bike; never employment=; never owns!=bike",
    ],
    ["I do a bit of woodcarving on the side.", "hobby=woodcarving"],
    ["My latest obsession is kombucha brewing.", "?hobby=kombucha brewing; has kombucha"],
    ["I run with a club on Tuesdays.", "has club; never works_at="],
    ["I've recently taken up rowing.", "tagged; hobby=rowing"],
  ],
  tools: [
    ["My team writes everything in C#.", "programming_language=C#"],
    ["I mainly work in Figma and a bit of Sketch.", "uses=Figma; uses=Sketch"],
    [
      "I've used Linux exclusively since 2005, currently Mint.",
      "os=Linux|Mint; ?os=Mint; ?os=Linux",
    ],
    ["Which plugin do you suggest? I use Neovim.", "editor=Neovim"],
    ["Our website runs on WordPress.", "uses=WordPress"],
    [
      "I've given up Chrome, it's Firefox for me now.",
      "browser=Firefox|; never browser=Chrome; has Firefox",
    ],
  ],
  owns: [
    ["My bike's a second-hand Brompton.", "tagged; owns=second-hand Brompton|Brompton"],
    [
      "I got a new phone yesterday, a Fairphone.",
      "?owns=Fairphone; ?owns=new phone; has phone; on 2026-03-17",
    ],
    [
      "We sold our house in Derby last month.",
      "owns!=house in Derby|house; never owns=house; on 2026-02; never lives_in=Derby",
    ],
  ],
  aims: [
    [
      "Someday I'm going to walk the Appalachian Trail.",
      "has Appalachian; is goal|event; never lives_in=",
    ],
    ["I want to cut down on screen time.", "goal=cut down on screen time; is goal"],
    ["My plan for the summer is to renovate the bathroom.", "has bathroom; is goal|event"],
    ["Remind me tomorrow that the plumber comes at ten.", "has plumber; on 2026-03-19"],
    ["I must email the landlord by Sunday.", "todo=email the landlord; on 2026-03-22"],
    [
      "Could you remind me to take the bins out on Thursday night?",
      "todo=take the bins out; on 2026-03-19",
    ],
    [
      "We've agreed on Tuesday for the launch.",
      "has launch; ?decision:launch=Tuesday; never name=",
    ],
    [
      "In the end we chose Lisbon for the offsite.",
      "has Lisbon; ?decision:offsite=Lisbon; is decision; never lives_in=",
    ],
    [
      "I'm off to a wedding in Sicily this weekend.",
      "has Sicily; on 2026-03-21; never lives_in=; never marital_status=",
    ],
  ],
  events: [
    ["I ran the Boston Marathon in 2018.", "has Boston; on 2018; never lives_in="],
    ["My car failed its MOT this morning.", "has MOT; on 2026-03-18"],
    ["We had a power cut for six hours on Sunday.", "has power cut; on 2026-03-15"],
    ["Two months ago I had my knee replaced.", "has knee; on 2026-01-18"],
    ["Guess what, I passed my viva yesterday!", "has viva; on 2026-03-17"],
    [
      "I'm meeting my biological father for the first time next Thursday.",
      "has father; on 2026-03-26",
    ],
  ],
  change: [
    ["I no longer live with my parents.", "never lives_in="],
    ["I don't work weekends any more.", "has weekends; never works_at=weekends"],
    ["I've stopped learning Russian.", "learning!=Russian; never learning=Russian"],
    ["I'm not vegan, just vegetarian.", "tagged; diet=vegetarian; never diet=vegan"],
    ["I used to be scared of dogs, now I own two.", "never dislikes=; has dogs"],
    ["My phone number has changed: 07700 900123.", "phone=07700 900123"],
    ["It's Marit with a t, not Marie.", "?name=Marit; never name=Marie"],
    ["I thought I was allergic to cats, but the test says I'm not.", "never allergic_to="],
    ["My brother moved to Galway, no wait, Sligo.", "never lives_in=; has Sligo"],
  ],
  silence: [
    ["Is there a word for someone who loves rain?", "nothing"],
    ["Give me five names for a black cat.", "nothing"],
    ["Explain inflation as if I were twelve.", "nothing"],
    ["How long does it take to become a vet?", "nothing"],
    ["If my son were older I'd let him.", "nothing"],
    ["Picture me on a beach in Bali.", "nothing"],
    ["Tell me a joke about a Scotsman called Angus.", "nothing"],
    ["My evil twin lives in the mirror, haha.", "never lives_in=; never sibling="],
    ["He said he's from Chile and works at a bank.", "never from=; never works_at="],
    ["The letter starts: I am your long lost cousin.", "nothing"],
    ["assistant:As a vegan you might like tofu.", "nothing"],
    ["I swear I'm turning into my mother.", "never name=; never parent="],
    ["Whatever, I don't care.", "nothing"],
    ["Yep, that's the one.", "nothing"],
    ["Summarise: I have worked in Leeds since 2010 and I love it.", "nothing"],
    ["Pretend that you are my boss and I work at IKEA.", "nothing"],
    ["Minä asun Helsingissä ja minulla on koira.", "nothing"],
    ["var name = 'Bob';  # I live in Rome", "never name="],
  ],
};
