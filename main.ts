/** Runs the command line with the arguments of the process. */

import { runCommandLine } from "./src/cli/main.ts";
import { terminal } from "./src/cli/terminal.ts";

Deno.exit(await runCommandLine(Deno.args, terminal));
