/** Hands the arguments to the command line. */

import { runCommandLine } from "./src/cli/main.ts";
import { terminal } from "./src/cli/terminal.ts";

Deno.exit(await runCommandLine(Deno.args, terminal));
