/** Paraphrases of likes and dislikes, rewritten as "I love X" and "I dislike X". */

/** The frames of this group, in the order in which they are tried. */
export const TASTE_FRAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(?:nothing (?:beats|compares to)|there is nothing (?:better than|like|I (?:like|love|enjoy) (?:more|better) than)) /i,
    "I love ",
  ],
  [
    /^I am (?:really |very )?(?:an? )?(?:(?:huge|big|massive|great|avid|keen|real|total|die-?hard|long-?time|lifelong|enthusiastic|passionate|such a|true|serious|devoted) )*(?:fan|lover|admirer|enthusiast|devotee|aficionado|follower|supporter|fanatic) of /i,
    "I love ",
  ],
  [
    /^I am not (?:really |very |too |particularly |so |that |at all )*(?:keen on|fond of|into|crazy about|big on|fussed about|wild about|partial to) /i,
    "I dislike ",
  ],
  [
    /^I am (?:really |very |so |quite |rather |totally |absolutely |completely |particularly |extremely )*(?:fond of|crazy about|mad about|nuts about|passionate about|obsessed with|addicted to|keen on|wild about|partial to|in love with|enthusiastic about|hooked on|a sucker for|big on) /i,
    "I love ",
  ],
  [
    /^I (?:(?:really|just|simply) )?(?:(?:can|could) (?:not|never) (?:get enough|resist|(?:live|do|be|imagine life) without)|have (?:a )?(?:soft spot|weakness|passion|love|thing|great love)|have (?:always )?had a (?:soft spot|weakness|passion|thing)|fell in love|go crazy|am big|could (?:listen to|watch|eat))(?: of| for| with)? /i,
    "I love ",
  ],
  [
    /^I (?:have )?(?:(?:really|always|absolutely|also|simply|totally) )*(?:loved?|adored?|enjoy(?:ed)?|liked?|cherish(?:ed)?|dig|fancy|relish|appreciate|treasure|favou?r(?!.* over )) (?=\S)/i,
    "I love ",
  ],
  [
    /^I (?:can not|could never|can never|have never been able to|do not) (?:(?:really|just|simply) )?(?:stand(?! (?:up|here|there|on|in|still|straight|near|next|behind|by|for (?!people)))|bear|abide|tolerate|stomach|take|handle|get into|care for|deal with|cope with|see the appeal of|understand the appeal of) /i,
    "I dislike ",
  ],
  [
    /^I (?:do not|did not|have never|never)(?: ever)? (?:(?:really|particularly|much|actually) )?(?:like|love|enjoy|care (?:much )?(?:for|about)|fancy|liked|enjoyed|cared for|appreciate|dig) (?:to )?/i,
    "I dislike ",
  ],
  [
    /^(.{3,50}?) (?:really |always |just |absolutely )*(?:drives? me (?:mad|crazy|nuts|insane|up the wall)|(?:creeps?|freaks?|grosses|weirds?|stresses|turns?|puts?) me (?:out|off)|gets? on my nerves|annoys? me|irritates? me|puts? me off|bores? me(?: to tears)?|grosses me out|makes? me (?:gag|cringe|sick)|disgusts? me|bothers? me|freaks me out|scares? me|turns? me off|gives? me the creeps)$/i,
    "I dislike $1",
  ],
  [
    /^(.{3,50}?) (?:really |always |just )*(?:makes? me (?:so |very |really )?happy|brings? me (?:so much )?joy|relaxes me|fascinates? me|cheers me up|calms me(?: down)?|is my happy place)$/i,
    "I love $1",
  ],
  [
    /^(.{3,50}?) (?:is|are) (?:not (?:really )?(?:my thing|my cup of tea|for me|my favou?rite)|(?:something|a thing|things|one thing) I (?:(?:really|absolutely) )*(?:hate|can not stand|dislike|detest|loathe|avoid)|the worst|gross|disgusting|my (?:pet peeve|nemesis|idea of hell))$/i,
    "I dislike $1",
  ],
  [
    /^(?:the thing|what|one thing|something|the food|things?) I (?:(?:really|absolutely|most|truly) )*(?:hate|dislike|detest|loathe|can not stand)(?: most| the most)? (?:is|are) /i,
    "I dislike ",
  ],
  [
    /^(?:the thing|what|one thing|something|the food|things?) I (?:(?:really|absolutely|most|truly) )*(?:love|enjoy|like|adore)(?: most| the most| doing)? (?:is|are) /i,
    "I love ",
  ],
  [
    /^I am (?:really |very |quite |super |totally |seriously )*(?:into|interested in)\b ?/i,
    "I am into ",
  ],
];
