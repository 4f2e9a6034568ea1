/** Paraphrases of likes and dislikes, rewritten as "I love X" and "I dislike X". */

/** The frames of this group, in the order in which they are tried. */
export const TASTE_FRAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(?:(?:for me|in my opinion|to my mind),? )?the best ([\p{L}]+) (?:ever(?: made)?|of all time|in the world) (?:is|has to be) /iu,
    "my favourite $1 is ",
  ],
  [
    /^(?:nothing (?:beats|compares to)|there is nothing (?:better than|like|I (?:like|love|enjoy) (?:more|better) than)) /i,
    "I love ",
  ],
  [
    /^(.{3,50}?) (?:is|are) (?:the best(?: things?)?(?: ever| in the world)?|(?:just |simply |pure )?(?:heaven|bliss)|everything to me|my everything)$/i,
    "I love $1",
  ],
  [
    /^I am (?:really |very )?(?:an? )?(?:(?:huge|big|massive|great|avid|keen|real|total|die-?hard|long-?time|lifelong|enthusiastic|passionate|such a|true|serious|devoted) )*(?:fan|lover|admirer|enthusiast|devotee|aficionado|follower|supporter|fanatic) of /i,
    "I love ",
  ],
  [
    /^I am (?:an? )?(?:(?:bit|something|sort) of an? )?(?:(?:huge|big|massive|great|avid|keen|real|total|die-?hard|long-?time|lifelong|enthusiastic|passionate|true|serious) )*(?!(?:an?|the|bit|something|sort)\b)([\p{L} -]+?) (?:fan|lover|enthusiast|fanatic|aficionado|nut|addict|buff|geek|nerd|freak)$/iu,
    "I love $1",
  ],
  [
    /^I am not (?:really |exactly |much of |particularly )*(?:an? )?(?:big |huge |great )?(?:fan|lover) of /i,
    "I dislike ",
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
    /^I have never been (?:(?:an? )?(?:(?:big|huge|great|real) )?fan of|fond of|keen on|into|one for|much of an?) /i,
    "I dislike ",
  ],
  [
    /^I (?:(?:really|absolutely|just|always|truly) )*(?:hated?|detest|loathe|despise|abhor|resent|disliked?|have (?:an? )?(?:strong |real )?(?:aversion to|dislike of|hatred of)|have always hated|am sick of|am not able to stand|am disgusted by|am put off by) (?=\S)(?!.*\b(?:interesting|fascinating|fun|great|relaxing|amazing|time)\b)/i,
    "I dislike ",
  ],
  [
    /^I find (?!it\b|that\b|this\b|myself\b)(.{2,40}?) (?:really |so |very |rather |quite |a bit |incredibly |terribly )*(?:boring|dull|tedious|annoying|awful|terrible|disgusting|gross|horrible|revolting|irritating|unbearable|exhausting|overrated)$/i,
    "I dislike $1",
  ],
  [
    /^(.{3,50}?) (?:is|are) (?:not (?:really )?(?:my thing|my cup of tea|for me|my favou?rite)|(?:something|a thing|things|one thing) I (?:(?:really|absolutely) )*(?:hate|can not stand|dislike|detest|loathe|avoid)|the worst|gross|disgusting|my (?:pet peeve|nemesis|idea of hell))$/i,
    "I dislike $1",
  ],
  [
    /^(.{3,50}?) (?:really |always |just |absolutely )*(?:drives? me (?:mad|crazy|nuts|insane|up the wall)|(?:creeps?|freaks?|grosses|weirds?|stresses|turns?|puts?) me (?:out|off)|gets? on my nerves|annoys? me|irritates? me|puts? me off|bores? me(?: to tears)?|grosses me out|makes? me (?:gag|cringe|sick)|disgusts? me|bothers? me|freaks me out|scares? me|turns? me off|gives? me the creeps)$/i,
    "I dislike $1",
  ],
  [
    /^(.{3,50}?) (?:is|are) (?:(?:something|a thing|things|what|one of the things) I (?:(?:really|absolutely|truly|just) )*(?:love|enjoy|like|adore|live for)|my (?:(?:great|big|biggest|true|one true|first) )*(?:love|thing|jam|weakness|guilty pleasure|cup of tea|happy place)|(?:really |totally |so )*my (?:thing|jam))$/i,
    "I love $1",
  ],
  [
    /^(.{3,50}?) (?:really |always |just )*(?:makes? me (?:so |very |really )?happy|brings? me (?:so much )?joy|relaxes me|fascinates? me|cheers me up|calms me(?: down)?|is my happy place)$/i,
    "I love $1",
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
  [
    /^my (?:(?:biggest|one|only|secret|latest|current) )*(?:guilty pleasure|weakness|obsession) (?:is|are) /i,
    "I love ",
  ],
];
