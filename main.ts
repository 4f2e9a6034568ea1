/** Runs the command line with the arguments of the process. */

import { followLauncher } from "./src/cli/follow_launcher.ts";
import { runCommandLine } from "./src/cli/main.ts";
import { terminal } from "./src/cli/terminal.ts";

followLauncher(Deno.env.get("COMMONPLACE_LAUNCHER_PID"));
Deno.exit(await runCommandLine(Deno.args, terminal));
