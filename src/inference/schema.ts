/** Schemas of the inference endpoints. They're additions to the contract. */

import { z } from "zod";
import { boundedText, pageFields, pageOf, timestampOutput } from "../contract/fields.ts";
import { unreadCode } from "../memories/schema.ts";

/** Longest text to explain, in characters. */
const MAX_EXPLAINED_CHARACTERS = 10_000;

/** A text that inference couldn't read and set aside, without its content. */
const unreadText = z.object({
  record_id: z.string().meta({ description: "Memory, or event of an inferred add" }),
  position: z.int().meta({ description: "Position of the message in the add, from 0" }),
  reader: z.string().meta({ description: "Engine and version that failed" }),
  code: unreadCode,
  created_at: timestampOutput,
  updated_at: timestampOutput,
}).meta({ id: "UnreadText" });

export const unreadQuery = z.object(pageFields);
export const unreadPage = pageOf(unreadText);

export const explainBody = z.strictObject({
  text: boundedText(MAX_EXPLAINED_CHARACTERS).min(1).meta({
    description: "Read as a user's message. Nothing is stored",
  }),
});
