/** Opens the configured tagger once, with the first build of ONNX Runtime that works. */

import type { OnnxBuild } from "../../embedding/runtimes/onnx.ts";
import type { TaggerName } from "./models.ts";
import { openTagger, type Tagger } from "./tagger.ts";

/** Which tagger to use, and the builds to try in order. */
export interface TaggerConfig {
  /** Null for none: only the rules read. */
  readonly name: TaggerName | null;
  readonly builds: readonly OnnxBuild[];
}

/** The tagger in use. Without a model, only the rules read. */
export interface TaggerStatus {
  readonly model: TaggerName | null;
  readonly runtime: OnnxBuild | null;
  /** Reason why the first build, or any, isn't in use. */
  readonly fault: string | null;
}

/** Status without a tagger, and before its first use. */
export const NO_TAGGER: TaggerStatus = { model: null, runtime: null, fault: null };

/** A tagger and its status. */
export interface OpenedTagger {
  readonly tagger: Tagger | null;
  readonly status: TaggerStatus;
}

/** Keeps the tagger of a thread. Its configuration never changes. */
export class TaggerOpener {
  #opened: Promise<OpenedTagger> | undefined;

  /** Returns the tagger, or null if there's none or no build can run it. */
  open(config: TaggerConfig): Promise<OpenedTagger> {
    return this.#opened ??= open(config);
  }
}

async function open({ name, builds }: TaggerConfig): Promise<OpenedTagger> {
  const faults: string[] = [];
  for (const build of name === null ? [] : builds) {
    try {
      const tagger = await openTagger(name!, build);
      const fault = faults.length === 0 ? null : faults.join("; ");
      return { tagger, status: { model: name, runtime: build, fault } };
    } catch (error) {
      faults.push(`${build}: ${(error as Error).message}`);
    }
  }
  const fault = faults.length === 0 ? null : faults.join("; ");
  return { tagger: null, status: { ...NO_TAGGER, fault } };
}
