/** Memory texts of claims in languages other than English, from a template per attribute. */

import { capitalize } from "../../../kernel/text.ts";
import type { Claim } from "../../extractor.ts";
import { foreignWords } from "../lexicon/foreign_people.ts";
import { isStatus, statusWords } from "../lexicon/foreign_statuses.ts";
import {
  type ByLanguage,
  type InEachLanguage,
  type Language,
  LANGUAGES,
} from "../lexicon/languages.ts";

/** Templates in the order of `LANGUAGES`: `{s}` is the subject, `{v}` the value. */
const TEMPLATES: Readonly<Record<string, InEachLanguage>> = {
  name: [
    "{s} heißt {v}",
    "{s} se llama {v}",
    "{s} s'appelle {v}",
    "{s} se chama {v}",
    "{s} si chiama {v}",
  ],
  nickname: [
    "{s} wird {v} genannt",
    "a {s} le dicen {v}",
    "{s} se fait appeler {v}",
    "{s} é chamado de {v}",
    "{s} si fa chiamare {v}",
  ],
  age: [
    "{s} ist {v} Jahre alt",
    "{s} tiene {v} años",
    "{s} a {v} ans",
    "{s} tem {v} anos",
    "{s} ha {v} anni",
  ],
  birthday: [
    "{s} hat am {v} Geburtstag",
    "{s} cumple años el {v}",
    "{s} est né le {v}",
    "{s} faz anos em {v}",
    "{s} compie gli anni il {v}",
  ],
  from: [
    "{s} kommt aus {v}",
    "{s} es de {v}",
    "{s} vient de {v}",
    "{s} é de {v}",
    "{s} viene da {v}",
  ],
  nationality: [
    "{s} hat die Staatsangehörigkeit {v}",
    "{s} es {v}",
    "{s} est {v}",
    "{s} é {v}",
    "{s} è {v}",
  ],
  identity: ["{s} ist {v}", "{s} es {v}", "{s} est {v}", "{s} é {v}", "{s} è {v}"],
  religion: ["{s} ist {v}", "{s} es {v}", "{s} est {v}", "{s} é {v}", "{s} è {v}"],
  lives_in: [
    "{s} wohnt in {v}",
    "{s} vive en {v}",
    "{s} habite à {v}",
    "{s} mora em {v}",
    "{s} abita a {v}",
  ],
  lived_in: [
    "{s} wohnte früher in {v}",
    "{s} vivía en {v}",
    "{s} habitait à {v}",
    "{s} morava em {v}",
    "{s} abitava a {v}",
  ],
  address: [
    "Adresse von {s}: {v}",
    "dirección de {s}: {v}",
    "adresse de {s} : {v}",
    "morada de {s}: {v}",
    "indirizzo di {s}: {v}",
  ],
  works_at: [
    "{s} arbeitet bei {v}",
    "{s} trabaja en {v}",
    "{s} travaille chez {v}",
    "{s} trabalha em {v}",
    "{s} lavora da {v}",
  ],
  worked_at: [
    "{s} arbeitete früher bei {v}",
    "{s} trabajaba en {v}",
    "{s} travaillait chez {v}",
    "{s} trabalhava em {v}",
    "{s} lavorava da {v}",
  ],
  job_title: [
    "{s} ist von Beruf {v}",
    "{s} trabaja de {v}",
    "{s} travaille comme {v}",
    "{s} trabalha como {v}",
    "{s} fa {v}",
  ],
  studies: [
    "{s} studiert {v}",
    "{s} estudia {v}",
    "{s} étudie {v}",
    "{s} estuda {v}",
    "{s} studia {v}",
  ],
  studies_at: [
    "{s} studiert an {v}",
    "{s} estudia en {v}",
    "{s} étudie à {v}",
    "{s} estuda em {v}",
    "{s} studia a {v}",
  ],
  studied_at: [
    "{s} studierte an {v}",
    "{s} estudió en {v}",
    "{s} a étudié à {v}",
    "{s} estudou em {v}",
    "{s} ha studiato a {v}",
  ],
  degree: [
    "{s} hat einen Abschluss: {v}",
    "{s} tiene un título: {v}",
    "{s} a un diplôme : {v}",
    "{s} tem um curso: {v}",
    "{s} ha un titolo: {v}",
  ],
  spouse: [
    "{s} ist verheiratet mit {v}",
    "{s} está en matrimonio con {v}",
    "{s} est en couple marié avec {v}",
    "{s} vive em casamento com {v}",
    "{s} è sposato con {v}",
  ],
  partner: [
    "{s} ist mit {v} zusammen",
    "la pareja de {s} es {v}",
    "{s} est en couple avec {v}",
    "{s} namora com {v}",
    "{s} sta con {v}",
  ],
  child: [
    "Kind von {s}: {v}",
    "{v} es hijo o hija de {s}",
    "{v} est l'enfant de {s}",
    "{v} é filho ou filha de {s}",
    "{v} è figlio o figlia di {s}",
  ],
  children: [
    "{s} hat {v} Kinder",
    "{s} tiene {v} hijos",
    "{s} a {v} enfants",
    "{s} tem {v} filhos",
    "{s} ha {v} figli",
  ],
  sibling: [
    "Geschwister von {s}: {v}",
    "{v} es hermano o hermana de {s}",
    "{v} est le frère ou la sœur de {s}",
    "{v} é irmão ou irmã de {s}",
    "{v} è fratello o sorella di {s}",
  ],
  siblings: [
    "{s} hat {v} Geschwister",
    "{s} tiene {v} hermanos",
    "{s} a {v} frères et sœurs",
    "{s} tem {v} irmãos",
    "{s} ha {v} fratelli e sorelle",
  ],
  parent: [
    "Elternteil von {s}: {v}",
    "{v} es padre o madre de {s}",
    "{v} est un parent de {s}",
    "{v} é pai ou mãe de {s}",
    "{v} è un genitore di {s}",
  ],
  friend: [
    "{s} ist mit {v} befreundet",
    "{v} y {s} tienen amistad",
    "{v} est un ami de {s}",
    "{v} tem amizade com {s}",
    "{v} è amico di {s}",
  ],
  colleague: [
    "{s} arbeitet mit {v} zusammen",
    "{s} trabaja con {v}",
    "{s} travaille avec {v}",
    "{s} trabalha com {v}",
    "{s} lavora con {v}",
  ],
  relative: [
    "{v} ist mit {s} verwandt",
    "{v} es de la familia de {s}",
    "{v} est de la famille de {s}",
    "{v} é da família de {s}",
    "{v} è della famiglia di {s}",
  ],
  grandparent: [
    "Großelternteil von {s}: {v}",
    "{v} es de los abuelos de {s}",
    "{v} est un grand-parent de {s}",
    "{v} é dos avós de {s}",
    "{v} è uno dei nonni di {s}",
  ],
  pet: [
    "{s} hat ein Haustier: {v}",
    "{s} tiene una mascota: {v}",
    "{s} a un animal : {v}",
    "{s} tem um animal: {v}",
    "{s} ha un animale: {v}",
  ],
  species: [
    "{s} ist ein Tier der Art {v}",
    "{s} es un animal: {v}",
    "{s} est un animal : {v}",
    "{s} é um animal: {v}",
    "{s} è un animale: {v}",
  ],
  breed: [
    "{s} ist von der Rasse {v}",
    "{s} es de raza {v}",
    "{s} est de race {v}",
    "{s} é da raça {v}",
    "{s} è di razza {v}",
  ],
  speaks: ["{s} spricht {v}", "{s} habla {v}", "{s} parle {v}", "{s} fala {v}", "{s} parla {v}"],
  native_language: [
    "Muttersprache von {s}: {v}",
    "la lengua materna de {s} es {v}",
    "la langue maternelle de {s} est {v}",
    "a língua materna de {s} é {v}",
    "la lingua madre di {s} è {v}",
  ],
  learning: [
    "{s} lernt {v}",
    "{s} aprende {v}",
    "{s} apprend {v}",
    "{s} aprende {v}",
    "{s} impara {v}",
  ],
  marital_status: [
    "Familienstand von {s}: {v}",
    "estado civil de {s}: {v}",
    "état civil de {s} : {v}",
    "estado civil de {s}: {v}",
    "stato civile di {s}: {v}",
  ],
  employment: [
    "Beschäftigung von {s}: {v}",
    "situación laboral de {s}: {v}",
    "emploi de {s} : {v}",
    "situação profissional de {s}: {v}",
    "occupazione di {s}: {v}",
  ],
  diet: [
    "Ernährung von {s}: {v}",
    "dieta de {s}: {v}",
    "régime de {s} : {v}",
    "dieta de {s}: {v}",
    "dieta di {s}: {v}",
  ],
  allergic_to: [
    "{s} ist allergisch gegen {v}",
    "{s} tiene alergia a {v}",
    "{s} est allergique à {v}",
    "{s} tem alergia a {v}",
    "{s} è allergico a {v}",
  ],
  avoids: [
    "{s} verzichtet auf {v}",
    "{s} evita {v}",
    "{s} évite {v}",
    "{s} evita {v}",
    "{s} evita {v}",
  ],
  likes: [
    "{s} mag {v}",
    "a {s} le gusta {v}",
    "{s} aime {v}",
    "{s} gosta de {v}",
    "a {s} piace {v}",
  ],
  dislikes: [
    "{s} mag {v} nicht",
    "a {s} no le gusta {v}",
    "{s} n'aime pas {v}",
    "{s} não gosta de {v}",
    "a {s} non piace {v}",
  ],
  prefers: [
    "{s} bevorzugt {v}",
    "{s} prefiere {v}",
    "{s} préfère {v}",
    "{s} prefere {v}",
    "{s} preferisce {v}",
  ],
  hobby: [
    "Hobby von {s}: {v}",
    "pasatiempo de {s}: {v}",
    "loisir de {s} : {v}",
    "passatempo de {s}: {v}",
    "passatempo di {s}: {v}",
  ],
  owns: ["{s} besitzt {v}", "{s} tiene {v}", "{s} possède {v}", "{s} tem {v}", "{s} possiede {v}"],
  uses: ["{s} benutzt {v}", "{s} usa {v}", "{s} utilise {v}", "{s} usa {v}", "{s} usa {v}"],
  programming_language: [
    "{s} programmiert in {v}",
    "{s} programa en {v}",
    "{s} programme en {v}",
    "{s} programa em {v}",
    "{s} programma in {v}",
  ],
  condition: [
    "Gesundheit von {s}: {v}",
    "salud de {s}: {v}",
    "santé de {s} : {v}",
    "saúde de {s}: {v}",
    "salute di {s}: {v}",
  ],
  medication: ["{s} nimmt {v}", "{s} toma {v}", "{s} prend {v}", "{s} toma {v}", "{s} prende {v}"],
  habit: [
    "Gewohnheit von {s}: {v}",
    "costumbre de {s}: {v}",
    "habitude de {s} : {v}",
    "hábito de {s}: {v}",
    "abitudine di {s}: {v}",
  ],
  goal: [
    "Ziel von {s}: {v}",
    "objetivo de {s}: {v}",
    "objectif de {s} : {v}",
    "objetivo de {s}: {v}",
    "obiettivo di {s}: {v}",
  ],
  plan: [
    "{s} hat vor: {v}",
    "{s} tiene previsto: {v}",
    "{s} a prévu : {v}",
    "{s} tem planeado: {v}",
    "{s} ha in programma: {v}",
  ],
  todo: [
    "{s} muss noch: {v}",
    "{s} tiene que: {v}",
    "{s} doit : {v}",
    "{s} tem de: {v}",
    "{s} deve: {v}",
  ],
  decision: [
    "{s} hat entschieden: {v}",
    "{s} ha decidido: {v}",
    "{s} a décidé : {v}",
    "{s} decidiu: {v}",
    "{s} ha deciso: {v}",
  ],
};

/** Prefixes of texts whose claim has ended. */
const NO_LONGER: ByLanguage<string> = {
  de: "Nicht mehr:",
  es: "Ya no:",
  fr: "Plus maintenant :",
  pt: "Já não:",
  it: "Non più:",
};

/** "Of", between a relation and whose it is ("Bruder von User"). */
const OF: ByLanguage<string> = {
  de: "von",
  es: "de",
  fr: "de",
  pt: "de",
  it: "di",
};

/** Writes a claim as a sentence in a language. Attributes without a template are written in English. */
export function claimText({ subject, attribute, value, op }: Claim, language: Language): string {
  const templates = TEMPLATES[attribute];
  const words = isStatus(attribute) ? statusWords(value, language) : value;
  const text = templates === undefined
    ? `${nameOf(subject, null)}'s ${attribute.replace(/[_:]/g, " ")}: ${value}`
    : templates[LANGUAGES.indexOf(language)]!.replace("{s}", () => nameOf(subject, language))
      .replace("{v}", () => words);
  return capitalize(op === "end" ? `${NO_LONGER[language]} ${text}` : text);
}

/** Returns a subject as it's written, in a language if it's a relation ("Bruder von User"). */
function nameOf(subject: string, language: Language | null): string {
  const [, owner = "", relation = ""] = /^(.+)'s (.+)$/.exec(subject) ?? [];
  if (language === null) return capitalize(subject);
  const words = foreignWords(relation, language);
  return words === null
    ? capitalize(subject)
    : `${words} ${OF[language]} ${nameOf(owner, language)}`;
}
