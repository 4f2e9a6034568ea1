/** Plain sentences about work, home, family and tastes that the tagger alone often misses. */
import type { Sayings } from "./saying.ts";

export const PLAIN: Sayings = {
  work: [
    ["I started a new job at Siemens on Monday.", "works_at=Siemens"],
    ["I began a new job with Airbus last month.", "works_at=Airbus"],
    ["Apple just hired me.", "works_at=Apple"],
    ["Bosch is where I work.", "works_at=Bosch"],
    ["I'm back at Zalando.", "works_at=Zalando"],
    ["I'm on the support team at Zendesk.", "works_at=Zendesk"],
    ["I teach chemistry at Lincoln High.", "works_at=Lincoln High"],
    ["I work as accountant.", "job_title=accountant"],
    ["I drive Audis.", "owns=Audis"],
    ["My team uses Slack.", "uses=Slack"],
    ["I'm a Mac user.", "uses=Mac"],
  ],
  origin: [
    ["I'm based out of Singapore.", "lives_in=Singapore"],
    ["I was brought up in Cork.", "from=Cork"],
    ["Coming from Greece, I love olives.", "from=Greece; likes=olives"],
    ["I'm of Polish origin.", "identity=of Polish origin"],
    ["I'm a citizen of Kenya.", "nationality=Kenya"],
    ["I met my wife when I lived in Seoul.", "lived_in=Seoul"],
    ["I breed rabbits.", "pet=rabbits"],
  ],
  studies: [
    ["I'm a PhD student at Oxford.", "studies_at=Oxford"],
    ["I went to Yale University.", "studied_at=Yale University"],
    ["I'm learning to drive.", "learning=drive"],
    ["I'm teaching myself to draw.", "learning=draw"],
    ["I'm doing a pottery course.", "learning=pottery"],
    ["I've signed up for a pottery course.", "learning=pottery"],
  ],
  taste: [
    ["I love dogs more than cats.", "prefers=dogs"],
    ["I'm interested in astronomy.", "likes=astronomy"],
    ["Loud music drives me crazy.", "dislikes=loud music"],
    ["Gardening calms me down.", "likes=gardening"],
    ["I go jogging in the park.", "hobby=jogging"],
    ["Shrimp gives me a rash.", "allergic_to=shrimp"],
  ],
  requests: [
    ["As a vegan, what can I eat there?", "diet=vegan"],
    ["With two dogs, where can we stay?", "pet=two dogs|dogs"],
    ["Renew the passport next week.", "todo=renew the passport"],
    ["It's vital that I call the bank.", "todo=call the bank"],
  ],
};
