/**
 * Embeds a text with the default model on the best available runtime, and prints which one that
 * was.
 */

import { NO_EMBEDDER, openEmbedder } from "../../src/embedding/open.ts";

const embedder = openEmbedder({ ...NO_EMBEDDER, name: "minilm" })!;
const vector = await embedder.embedQuery("green tea", "memories");
const { runtime, fault } = embedder.status;
Deno.stdout.writeSync(
  new TextEncoder().encode(JSON.stringify({ runtime, fault, dims: vector.length })),
);
embedder.close();
