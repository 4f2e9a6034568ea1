/** The real terminal: standard output, the environment, and confirmation from the user. */

import type { Terminal } from "./command.ts";

export const terminal: Terminal = {
  print(line) {
    Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
  },
  environment: (name) => Deno.env.get(name),
  confirm(question) {
    return Deno.stdin.isTerminal() ? confirm(question) : null;
  },
};
