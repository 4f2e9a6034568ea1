/** The real terminal: standard output, environment variables and user confirmation. */

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
