/** Finds the values of claims in a sentence with a small learned model. */

import { readTokenizer } from "../../embedding/tokenizer.ts";
import { readAsset } from "../../embedding/model_files.ts";
import { type OnnxBuild, openSession } from "../../embedding/runtimes/onnx.ts";
import { WordTable } from "../../embedding/runtimes/word_table.ts";
import { LruCache } from "../../kernel/caches/lru_cache.ts";
import { decode, type Probabilities, type SentenceTags } from "./decode.ts";
import { type TaggerName, TAGGERS } from "./models.ts";
import { tokenize } from "./tokens.ts";

/** Longest input of the model, in tokens. The rest of a longer sentence isn't read. */
const MAX_TOKENS = 128;

/** Sentences whose tags are kept. Re-derivation and retries read the same ones again. */
const MAX_CACHED_SENTENCES = 500;

/** An opened tagger. */
export interface Tagger {
  readonly multilingual: boolean;
  tag(sentence: string): Promise<SentenceTags>;
}

/**
 * Opens a tagger.
 *
 * @throws If a file is missing or changed, or ONNX Runtime can't be loaded.
 */
export async function openTagger(name: TaggerName, build: OnnxBuild): Promise<Tagger> {
  const model = TAGGERS[name];
  const tokenizer = readTokenizer(model.embedder);
  const graph = readAsset(`inference/${model.id}`, model.graph);
  const session = await openSession(build, graph);
  const table = new WordTable(model.embedder);
  const cache = new LruCache<string, SentenceTags>(MAX_CACHED_SENTENCES);
  return {
    multilingual: model.multilingual,
    async tag(sentence) {
      const cached = cache.get(sentence);
      if (cached !== undefined) return cached;
      const { ids, shapes, words } = tokenize(sentence, tokenizer, MAX_TOKENS);
      const output = await session.run({
        words: session.tensor("float32", table.rows(ids), [1, ids.length, model.embedder.dims]),
        shapes: session.tensor("int64", BigInt64Array.from(shapes, BigInt), [1, ids.length]),
      });
      const tags = decode(words, output as unknown as Probabilities);
      cache.set(sentence, tags);
      return tags;
    },
  };
}
