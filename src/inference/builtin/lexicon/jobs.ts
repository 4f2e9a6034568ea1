/** Recognizes jobs: endings, known titles, and words that only look like jobs. */

import { pattern } from "./lines.ts";

const TITLES = pattern("i")`
  (?:^|[\s-])(?:nurse|attendant|servant|sergeant|lieutenant|merchant|chef|cook|pilot|
  judge|surgeon|physician|doctor|vet|veterinarian|gp|midwife|mechanic|plumber|dentist|
  architect|lawyer|solicitor|barrister|attorney|paralegal|accountant|clerk|secretary|
  receptionist|librarian|journalist|pharmacist|physiotherapist|physio|therapist|chemist|
  physicist|scientist|economist|biologist|geologist|psychologist|psychiatrist|radiologist|
  cardiologist|anaesthetist|optometrist|artist|pianist|cellist|guitarist|violinist|
  musician|electrician|technician|beautician|dietitian|dietician|politician|statistician|
  mathematician|physician|paramedic|firefighter|consultant|analyst|assistant|intern|
  apprentice|trainee|lead|ceo|cto|cfo|coo|vp|founder|co-?founder|entrepreneur|executive|
  director|specialist|strategist|recruiter|freelancer|contractor|bartender|barista|
  waitress|steward(?:ess)?|flight attendant|soldier|sailor|officer|cop|priest|pastor|imam|
  rabbi|monk|nun|tailor|butcher|captain|coach|guide|clown|actress|actor|author|poet|model|
  sculptor|curator|conservator|florist|beekeeper|blacksmith|locksmith|goldsmith|tattooist|
  stylist|agronomist|botanist|zoologist|ecologist|archaeologist|anthropologist|
  sociologist|linguist|historian|philosopher|ux designer|admin|sysadmin|administrator|dba|
  devops|sre|dev|coder|rep|representative|agent|broker|realtor|auditor|actuary|inspector|
  surveyor|notary|diplomat|ambassador|translator|interpreter|editor|producer|composer|
  conductor|choreographer|dancer|astronaut|radiographer|phlebotomist|optician|hygienist|
  orthodontist|caregiver|carer|nanny|au pair|babysitter|housekeeper|janitor|caretaker|
  custodian|groundskeeper|fisherman|postman|mailman|salesman|saleswoman|salesperson|
  businesswoman|businessman|policeman|policewoman|cameraman|handyman|craftsman|foreman|
  chairman|chairperson|spokesperson|stay-at-home (?:mum|mom|dad|parent)|homemaker|
  housewife|ornithologist|sommelier|stagehand|stuntman|undertaker|warden|winemaker|
  zookeeper|illustrator|animator|cartographer|detective|psychotherapist|osteopath|
  chiropractor|acupuncturist|masseuse|masseur|sonographer|copywriter|screenwriter|
  playwright|novelist|columnist|blogger|vlogger|influencer|youtuber|streamer|cabinetmaker|
  luthier|jeweller|jeweler|watchmaker|upholsterer|arborist|forester|ranger|logger|miner|
  quant|trader|teller|cashier|stocker|picker|courier|porter|doorman|concierge|bellhop|
  maid|valet|busboy|hostess|sous-chef|pâtissier|patissier|academic|lecturer|prof|
  professor|dean|principal|deputy head|headteacher|headmaster|postdoc|researcher|
  social worker)$
`;
const ENDING =
  /(?:er|or|ist|ician|ologist|smith|wright|man|woman|person|eer|ographer|maker|worker|keeper)$/i;
const NO_JOB = pattern("i")`
  (?:^|[\s-])(?:better|longer|faster|harder|later|earlier|closer|nearer|further|farther|
  bigger|smaller|higher|lower|older|younger|stronger|slower|cooler|warmer|easier|clearer|
  cheaper|shorter|sooner|ever|forever|together|offer|matter|bummer|changer|dinner|supper|
  water|letter|paper|whatever|another|either|rather|order|power|computer|sticker|reminder|
  disaster|wonder|chapter|answer|error|colou?r|flavou?r|favou?r|door|floor|behaviou?r|fan|
  summer|winter|weather|september|october|november|december|visitor|guest|passenger|
  sinner|liar|cheater|doubter|spectator|bystander|competitor|contender|starter|caller|
  lover|member|widow|widower|beginner|owner|mother|father|sister|brother|daughter|partner|
  foreigner|newcomer|customer|user|sufferer|survivor|believer|follower|supporter|
  vegetarian|teetotaler|teetotaller|drinker|smoker|eater|sleeper|riser|learner|reader|
  listener|gamer|walker|hiker|runner|cyclist|climber|swimmer|surfer|skier|biker|traveler|
  traveller|loner|stranger|winner|loser|monster|number|master|other|stepfather|stepmother|
  grandmother|grandfather|outsider|insider|teenager|over|hater|minor|senior|junior|major|
  person|woman|man|human|character|sucker|poser|dreamer|worrier|overthinker|
  procrastinator|giver|talker|speaker|cancer|gambler|enthusiast|optimist|pessimist|
  perfectionist|feminist|minimalist|pacifist|collector|hoarder|non-drinker|nonsmoker|
  non-smoker|bit older|aficionado|immigrant|alcoholic|voter|subscriber|holder|donor|
  stoner|partygoer|bachelor|mentor to|participant|vegan|descendant|infant|giant|tourist|
  christian|resident|local|native|citizen|student|parent|twin|introvert|extrovert|german|
  roman|superstar|star|believer|backer|flyer|good cook|great cook|bad cook|terrible cook|
  decent cook|lousy cook|realist|idealist|atheist|leftist|capitalist|socialist|anarchist|
  communist|veteran|prisoner|doer|quitter|pioneer|rookie|late bloomer|bloomer|helper|
  brawler|bird watcher|birdwatcher|birder|stamp collector|sailor at heart|mess|pirate|
  wizard|superhero|unicorn|robot|dinosaur|ghost|vampire|king|queen|god|monkey|disaster|
  failure|idiot|genius|nerd|geek)$
`;
const QUALITY =
  /^(?:designated|youngest|oldest|only|first|last|newest|tallest|best|worst|fastest|good|great|bad|terrible|awful|decent|huge|big|proud|avid|keen|passionate|fast|slow|heavy|light|early|late|picky|fussy|poor|lousy|excellent|amateur|hobby|weekend|total|complete|real|true|natural|born|better|quick|secret|fake|wannabe|frustrated|aspiring|budding|future|former|one-time|ex|would-be)[\s-]/i;

const OCCASIONAL =
  /^(?:groomsman|bridesmaid|best man|(?:maid|matron) of honou?r|flower girl|godfather|godmother|(?:morning|night|evening|early) (?:person|runner|riser|owl|bird))$/i;

/** Checks whether a phrase is a role for a day or a habit, which looks like a job. */
export const isOccasional = (phrase: string): boolean => OCCASIONAL.test(phrase);

/**
 * Checks whether "I'm a PHRASE" names a job, by its last word. Without an
 * article ("I'm eager") only known titles count.
 */
export function isJob(phrase: string, article = true): boolean {
  const bare = phrase.trim().replace(/^(?:an?|the)\s+/i, "");
  if (!bare || /\d|[,;]/.test(bare) || bare.split(/\s+/).length > 6) return false;
  if (isOccasional(bare)) return false;
  if (
    /^(?:head|chief|chair|president|leader|captain|dean|treasurer|coordinator|vice[- ]president|mayor|vp|director|manager|secretary) (?:of|for) \p{L}/iu
      .test(bare)
  ) return true;
  // "Getting a hamster", "seeing the dentist": an activity, not a title.
  if (
    /^\p{Ll}+ing (?:an?|the|my|our|his|her|their|your|some|to|in|on|at|for|with|as) /u.test(bare)
  ) {
    return false;
  }
  const head = bare.replace(/\s+(?:of|in|for|on|with|to|and)\s.*$/i, "");
  if (
    /(?:^|\s)\p{Lu}\p{Ll}+er$/u.test(head) &&
    !/(?:engineer|designer|manager|developer|officer|teacher|writer|lawyer|trainer|researcher|lecturer|producer|programmer|photographer|planner|buyer|partner|adviser|baker|painter)$/i
      .test(head)
  ) return false;
  // "Python scared my hamster": a sentence.
  if (
    /\s(?:my|our|his|her|their|your|me|him|them|it|the|ya)\s|^(?:those|these|this|that|such)\s/i
      .test(head)
  ) {
    return false;
  }
  // A Kerryman, a Frenchwoman: an origin, not a job.
  if (/(?:^|\s)\p{Lu}\p{Ll}+(?:man|woman)$/u.test(head)) return false;
  if (NO_JOB.test(head) || QUALITY.test(head)) return false;
  return TITLES.test(head) || (article && ENDING.test(head));
}
