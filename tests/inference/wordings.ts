/** Ways people state facts about themselves, each with what must be claimed; written without looking at the rules. */

/**
 * A line: what was said, then the claims that must be found as `attribute=value` (`subject.attribute=value`
 * for others, `!=` for an end), then what must not be claimed. An empty list means that nothing may be stored.
 */
export interface Wording {
  readonly said: string;
  readonly claims?: readonly string[];
  readonly never?: readonly string[];
  readonly nothing?: true;
}

export const WORDINGS: readonly Wording[] = [
  { said: "Everybody calls me Fitz.", claims: ["nickname=Fitz"] },
  { said: "Name's Olumide, by the way.", claims: ["name=Olumide"] },
  { said: "You can call me Ji-woo, it's my name.", claims: ["name=Ji-woo"] },
  { said: "I use she/her pronouns.", claims: ["pronouns=she/her"] },
  { said: "I'm turning 29 today!", claims: ["age=29"] },
  { said: "I was born in Tbilisi and raised in Vienna.", claims: ["from=Vienna|Tbilisi"] },
  { said: "Home for me is Gdańsk.", claims: ["lives_in=Gdańsk"] },
  { said: "Living in Kigali since January.", claims: ["lives_in=Kigali"] },
  { said: "We've settled down in Bordeaux.", claims: ["lives_in=Bordeaux"] },
  {
    said: "After ten years in Seoul I now live in Busan.",
    claims: ["lives_in=Busan"],
    never: ["lives_in=Seoul"],
  },
  { said: "I'm employed by Maersk.", claims: ["works_at=Maersk"] },
  {
    said: "I earn my living as a translator.",
    claims: ["job_title=translator"],
  },
  {
    said: "By day I'm an accountant at Deloitte.",
    claims: ["job_title=accountant", "works_at=Deloitte"],
  },
  { said: "I got hired by Spotify last week.", claims: ["works_at=Spotify"] },
  { said: "I resigned from Airbus in December.", claims: ["worked_at=Airbus", "works_at!=Airbus"] },
  { said: "I'm currently between jobs.", claims: ["employment=unemployed"] },
  { said: "I work freelance.", claims: ["employment=freelance"] },
  {
    said: "I'm reading philosophy at Durham University.",
    claims: ["studies=philosophy", "studies_at=Durham University"],
  },
  { said: "I hold a PhD in organic chemistry.", claims: ["degree=PhD in organic chemistry"] },
  { said: "My better half is called Anouk.", claims: ["partner=Anouk|Anouk"] },
  { said: "We have a little boy called Elio.", claims: ["child=Elio"] },
  { said: "Our twins are called Ida and Max.", claims: ["child=Ida", "child=Max"] },
  { said: "My older brother Kofi is a pilot.", claims: ["sibling=Kofi", "kofi.job_title=pilot"] },
  { said: "I've been married to Sanna for ten years.", claims: ["spouse=Sanna"] },
  { said: "I lost my husband in 2020, so I'm a widow.", claims: ["marital_status=widowed"] },
  { said: "Our hamster goes by the name of Pip.", claims: ["pet=Pip", "pip.species=hamster"] },
  { said: "I share my flat with a cat, Luna.", claims: ["pet=Luna"] },
  { said: "German is my first language.", claims: ["native_language=German"] },
  { said: "I can speak Swahili and Arabic.", claims: ["speaks=Swahili", "speaks=Arabic"] },
  { said: "I'm taking Finnish lessons.", claims: ["learning=Finnish"] },
  { said: "I follow a gluten-free diet.", claims: ["diet=gluten-free"] },
  { said: "Gone fully vegan this year.", claims: ["diet=vegan"] },
  { said: "Shellfish gives me an allergic reaction.", claims: ["allergic_to=shellfish"] },
  { said: "I steer clear of alcohol.", claims: ["avoids=alcohol"] },
  { said: "I can't get enough of mango lassi.", claims: ["likes=mango lassi"] },
  { said: "Crowded trains drive me mad.", claims: ["dislikes=crowded trains"] },
  { said: "I'm fond of old maps.", claims: ["likes=old maps"] },
  { said: "Rain sounds are something I really love.", claims: ["likes=rain sounds"] },
  { said: "Of all seasons, autumn is my favourite.", claims: ["favorite_season=autumn"] },
  { said: "My favourite season has to be autumn.", claims: ["favorite_season=autumn"] },
  { said: "I'd prefer bullet points.", claims: ["prefers=bullet points"] },
  {
    said: "From now on, please reply in Spanish.",
    claims: ["prefers=reply in Spanish|replies in Spanish"],
  },
  { said: "On weekends I do pottery.", claims: ["hobby=pottery"] },
  { said: "Photography is my hobby.", claims: ["hobby=photography"] },
  { said: "I recently picked up fencing as a hobby.", claims: ["hobby=fencing"] },
  { said: "I just got myself a Brompton bike.", claims: ["owns=Brompton bike"] },
  { said: "Neovim is my editor of choice.", claims: ["editor=Neovim"] },
  { said: "I do most of my programming in Kotlin.", claims: ["programming_language=Kotlin"] },
  { said: "All my machines run NixOS.", claims: ["os=NixOS"] },
  { said: "We store everything in MongoDB.", claims: ["database=MongoDB"] },
  { said: "Drop me a line at kaz@example.net.", claims: ["email=kaz@example.net"] },
  { said: "I'm on Central European Time.", claims: ["timezone=Central European Time"] },
  { said: "I dream of opening a bookshop.", claims: ["goal=open a bookshop"] },
  { said: "I can't forget to email Priya on Monday.", claims: ["todo=email Priya"] },
  {
    said: "We've settled on Terraform for provisioning.",
    claims: ["decision:provisioning=Terraform"],
  },
  { said: "I suffer from migraines.", claims: ["condition=migraines"] },
  { said: "I'm on metformin.", claims: ["medication=metformin"] },
  { said: "I gave up meat in 2018.", claims: ["avoids=meat"], never: ["likes=meat"] },
  { said: "I've stopped playing the violin.", claims: ["hobby!=playing the violin|violin"] },
  {
    said: "I live in Rome. Wait, no, I mean Milan.",
    claims: ["lives_in=Milan"],
    never: ["lives_in=Rome"],
  },
  { said: "My cat is Tom, sorry, Tim.", claims: ["pet=Tim"], never: ["pet=Tom"] },
  { said: "My colleague Priya adores opera.", claims: ["colleague=Priya", "priya.likes=opera"] },
  { said: "If I moved to Spain, I'd get a dog.", nothing: true },
  { said: "Would you say I'm a good cook?", nothing: true },
  { said: "I could eat a horse.", nothing: true },
  { said: 'My friend texted: "I live in Boston now and I\'m a dad!"', nothing: true },
  { said: "Please write a poem about a girl who lives in Prague.", nothing: true },
  { said: "What a lovely morning!", nothing: true },
  { said: "Give me three reasons to learn Rust.", nothing: true },
  { said: "Pretend you're my boss and I work at NASA.", nothing: true },
];
