/** Chats through mem0's provider for the AI SDK, with the mem0-compatible API behind it. */

import { join } from "node:path";
import { installPackages, runProgram, withMem0Server } from "../mem0.ts";

const HERE = import.meta.dirname!;

// The AI SDK needs a newer Node than some machines have, and runs under Deno as well.
const deno = [Deno.execPath(), "run", "--quiet", "--allow-all", "--no-config"] as const;
const folder = await installPackages(HERE, "mem0-ai-sdk");
await withMem0Server((environment) =>
  runProgram(
    [...deno, "--node-modules-dir=manual"],
    join(HERE, "programs/chat.mjs"),
    folder,
    environment,
  )
);
