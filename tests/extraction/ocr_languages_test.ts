/** Tests that scans are read in their language. */
import assert from "node:assert/strict";
import { detectLanguage, OCR_LANGUAGES } from "../../src/extraction/ocr/languages.ts";
import { markdownOf, scan } from "../../testing/extraction_fixtures.ts";

/** A letter in each language. The lines are long enough to make a paragraph. */
const LETTERS: Readonly<Record<string, string>> = {
  deu:
    "Für die Straße über die Brücke ist eine größere\nPrüfung nötig, und wir müssen das nach der Flut\nauch mit den Löwen auf dem Gelände erklären.",
  fra:
    "Le gardien a dû réparer la lumière du phare après\nla tempête, et nous avons reçu une réponse à notre\nlettre dans les délais prévus par le règlement.",
  spa:
    "El capitán dejó la señal en el puerto por la mañana\ny los niños no la vieron, pero una mujer de la\ncompañía la llevó con el correo a la estación.",
  por:
    "A reunião não foi marcada para o verão, mas os\nirmãos da companhia de navegação vão em março com\numa petição ao órgão que faz a inspeção do cais.",
  ita:
    "La città non ha più una banca, e il libro è nella\nlibreria che si trova anche di là della piazza; gli\nabitanti però sono contenti del caffè così com'è.",
  nld:
    "De reünie van het bedrijf is niet op zee maar bij\nde haven, en de coördinator wordt door een van de\nbewoners geïnformeerd over het idee voor de dag.",
  // The test font only has the letters of Western European languages.
  pol:
    "Nie ma tu mostu do portu, ale jest droga od góry, jak\nna mapie. Po burzy nie ma tam statku dla królowej, bo\njest on za portem, przy której jest tylko woda.",
};

const LETTERS_OF_ITS_OWN: Readonly<Record<string, RegExp>> = {
  deu: /Straße über die Brücke/,
  fra: /dû réparer la lumière/,
  spa: /capitán dejó la señal/,
  por: /reunião não foi/,
  ita: /però sono contenti/,
  nld: /geïnformeerd/,
  pol: /droga od góry.*dla królowej/,
};

for (const [language, letter] of Object.entries(LETTERS)) {
  Deno.test(`recognizePage() reads umlauts and accents in a scan in "${language}"`, async () => {
    assert.match(await markdownOf(await scan(letter), "image/png"), LETTERS_OF_ITS_OWN[language]!);
  });
}

Deno.test("detectLanguage() recognizes each language without its umlauts and accents", () => {
  for (const [language, letter] of Object.entries(LETTERS)) {
    const plain = letter.normalize("NFD").replace(/\p{M}/gu, "");
    assert.equal(detectLanguage(plain.split(/\s+/)), language);
  }
  assert.deepEqual([...Object.keys(LETTERS), "eng"].toSorted(), OCR_LANGUAGES.toSorted());
});

Deno.test("detectLanguage() returns undefined for few words, numbers and other languages", () => {
  assert.equal(detectLanguage(["der", "die", "das"]), undefined);
  assert.equal(detectLanguage(Array.from({ length: 50 }, (_, index) => `${index}`)), undefined);
  const finnish = "Majakka on saaren korkeimmalla kohdalla ja sen valo nakyy kauas merelle joka yo";
  assert.equal(detectLanguage(finnish.split(" ")), undefined);
});
