/**
 * A chat in the terminal that remembers. It works with any model behind an API like OpenAI's.
 *
 * COMMONPLACE_URL, COMMONPLACE_API_KEY   the service
 * MODEL_URL, MODEL, MODEL_API_KEY        the model; by default one of Ollama on this machine
 */

import { Commonplace } from "@commonplace/client";
import process from "node:process";
import { createInterface } from "node:readline";

const {
  MODEL_URL = "http://127.0.0.1:11434/v1",
  MODEL = "llama3.2",
  MODEL_API_KEY = "",
} = process.env;

interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

const user = process.argv[2] ?? "me";
const memory = new Commonplace({ userId: user });
const conversation: Message[] = [];

process.stdout.write("> ");
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") break;
  process.stdout.write(`${await respond(line)}\n> `);
}

/** Returns the reply to a message, and has the facts in it remembered. */
async function respond(message: string): Promise<string> {
  const { text: known } = await memory.context(message, { max_tokens: 800 });
  const system = `You are a helpful assistant. What you remember of this user:\n${known}`;
  conversation.push({ role: "user", content: message });
  const reply = await complete([{ role: "system", content: system }, ...conversation]);
  conversation.push({ role: "assistant", content: reply });
  // Resolves once the service has stored the message. The facts are extracted in the background.
  await memory.memories.infer(message);
  return reply;
}

async function complete(messages: readonly Message[]): Promise<string> {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${MODEL_API_KEY}` },
    body: JSON.stringify({ model: MODEL, messages }),
  });
  if (!response.ok) throw new Error(`The model returned ${response.status}`);
  const { choices } = await response.json() as { choices: { message: Message }[] };
  return choices[0]!.message.content;
}
