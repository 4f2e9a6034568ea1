/** Finds the values of claims in a sentence with a small learned model. */

import { readTokenizer } from "../../embedding/tokenizer.ts";
import { verifyAsset } from "../../embedding/model_files.ts";
import { type OnnxBuild, openSession } from "../../embedding/runtimes/onnx.ts";
import { WordTable } from "../../embedding/runtimes/word_table.ts";
import { LruCache } from "../../kernel/caches/lru_cache.ts";
import { decode, type Probabilities, type SentenceTags } from "./decode.ts";
import { type TaggerName, TAGGERS } from "./models.ts";
import { type SentenceWindow, windowsOf } from "./windows.ts";

/** Longest input of the model, in tokens. The rest of a longer sentence isn't read. */
const MAX_TOKENS = 128;

/** Windows whose tags are kept. Re-derivation and retries read the same ones again. */
const MAX_CACHED_WINDOWS = 100;

/** Where a sentence is read. */
interface Place {
  readonly window: SentenceWindow;
  readonly part: number;
}

/** An opened tagger. */
export interface Tagger {
  readonly multilingual: boolean;
  /**
   * Returns the tags of the sentence at `index`, read together with those around it. Windows are kept by
   * array, so pass the same one for all sentences of a message.
   */
  tag(sentences: readonly string[], index: number): Promise<SentenceTags>;
}

/**
 * Opens a tagger.
 *
 * @throws If a file is missing or changed, or ONNX Runtime can't be loaded.
 */
export async function openTagger(name: TaggerName, build: OnnxBuild): Promise<Tagger> {
  const model = TAGGERS[name];
  const tokenizer = readTokenizer(model.embedder);
  const graph = verifyAsset(`inference/${model.id}`, model.graph);
  // Its inputs are short. An arena would keep 4 MB.
  const session = await openSession(build, graph, { arena: false });
  const table = new WordTable(model.embedder);
  const placesOf = new WeakMap<readonly string[], readonly Place[]>();
  const cache = new LruCache<string, readonly SentenceTags[]>(MAX_CACHED_WINDOWS);

  async function read({ ids, shapes, parts }: SentenceWindow): Promise<readonly SentenceTags[]> {
    const shares = new Float32Array(parts.length * ids.length);
    for (const [i, { start, end }] of parts.entries()) {
      shares.fill(1 / (end - start), i * ids.length + start, i * ids.length + end);
    }
    const integers = (values: readonly number[]) => BigInt64Array.from(values, BigInt);
    const output = await session.run({
      words: session.tensor("float32", table.rows(ids), [1, ids.length, model.embedder.dims]),
      shapes: session.tensor("int64", integers(shapes), [1, ids.length]),
      starts: session.tensor("int64", integers(parts.map(({ start }) => start)), [parts.length]),
      shares: session.tensor("float32", shares, [parts.length, ids.length]),
    });
    return decode(parts, output as unknown as Probabilities);
  }

  return {
    multilingual: model.multilingual,
    async tag(sentences, index) {
      let places = placesOf.get(sentences);
      if (places === undefined) {
        places = windowsOf(sentences, tokenizer, MAX_TOKENS)
          .flatMap((window) => window.parts.map((_, part) => ({ window, part })));
        placesOf.set(sentences, places);
      }
      const { window, part } = places[index]!;
      // A window that begins with a repeated sentence has the text of one of which that is a part.
      const key = `${window.parts.length} ${window.text}`;
      let tags = cache.get(key);
      if (tags === undefined) cache.set(key, tags = await read(window));
      return tags[part]!;
    },
  };
}
