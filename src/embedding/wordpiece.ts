/**
 * BERT's uncased tokenizer: the ids of the reference implementation (Hugging Face tokenizers,
 * BertNormalizer, BertPreTokenizer and WordPiece), except that special tokens written in a text
 * stay the text that they are.
 */

const CLS = "[CLS]";
const SEP = "[SEP]";
const UNKNOWN = "[UNK]";

/** A longer word is unknown as a whole, as in the reference. */
const MAX_WORD_CHARACTERS = 100;

/** Words whose pieces are kept: most of a text is made of few words. */
const MAX_CACHED_WORDS = 20_000;

const REMOVED = /[\0\uFFFD]|(?![\t\n\r])\p{C}/gu;
const IDEOGRAPHS =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const MARKS = /\p{Mn}/gu;

/** Words, and each punctuation character by itself; some ASCII symbols count as punctuation. */
const WORDS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** WordPiece over a vocabulary whose line numbers are the ids. */
export class WordPiece {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #cls: number;
  readonly #sep: number;
  readonly #unknown: number;
  readonly #wordCache = new Map<string, readonly number[]>();

  constructor(vocabulary: readonly string[]) {
    this.#ids = new Map(vocabulary.map((piece, id) => [piece, id]));
    this.#cls = this.#ids.get(CLS)!;
    this.#sep = this.#ids.get(SEP)!;
    this.#unknown = this.#ids.get(UNKNOWN)!;
  }

  /** At most `most` ids, [CLS] and [SEP] among them. */
  encode(text: string, maxTokens: number): number[] {
    const ids = [this.#cls];
    for (const [word] of normalize(text).matchAll(WORDS)) {
      if (ids.length >= maxTokens) break;
      for (const id of this.#pieces(word)) ids.push(id);
    }
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(this.#sep);
    return ids;
  }

  #pieces(word: string): readonly number[] {
    const known = this.#wordCache.get(word);
    if (known !== undefined) return known;
    const pieces = this.#split([...word]);
    if (this.#wordCache.size >= MAX_CACHED_WORDS) this.#wordCache.clear();
    this.#wordCache.set(word, pieces);
    return pieces;
  }

  /** The longest piece that fits, again and again; unknown when none fits somewhere. */
  #split(characters: readonly string[]): number[] {
    if (characters.length > MAX_WORD_CHARACTERS) return [this.#unknown];
    const ids: number[] = [];
    for (let start = 0; start < characters.length;) {
      let end = characters.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end--) {
        const piece = characters.slice(start, end).join("");
        id = this.#ids.get(start === 0 ? piece : `##${piece}`);
      }
      if (id === undefined) return [this.#unknown];
      ids.push(id);
      start = end + 1;
    }
    return ids;
  }
}

function normalize(text: string): string {
  return text
    .replace(REMOVED, "")
    .replace(IDEOGRAPHS, " $& ")
    .normalize("NFD")
    .replace(MARKS, "")
    // The reference lowers character by character and so knows no final sigma.
    .replaceAll("Σ", "σ")
    .toLowerCase();
}
