/** `commonplace inference test`: tries the configured engine on twenty texts. */

import { type TrialResult, tryEngine } from "../../inference/trial.ts";
import { unsetModelFlags } from "../../server/bootstrap.ts";
import { resolveSettings, serverConfig } from "../../server/config.ts";
import { commandGroup, printResult, UsageError } from "../command.ts";

export const inference = commandGroup({
  name: "inference",
  summary: "try the configured inference engine on twenty texts",
  usage: ["commonplace inference test [flags of serve]"],
}, {
  async test(args, terminal) {
    const json = args.includes("--json");
    const settings = args.filter((arg) => arg !== "--json");
    const { inference: config } = serverConfig(resolveSettings(settings, terminal.environment));
    const unset = unsetModelFlags({ inference: config! });
    if (unset.length > 0) {
      throw new UsageError(`No model is configured; set ${unset.join(" and ")}`);
    }
    const results: TrialResult[] = [];
    for await (const result of tryEngine(config!)) {
      results.push(result);
      if (!json) { for (const line of linesOf(result)) terminal.print(line); }
    }
    const passed = results.filter((result) => result.passed).length;
    if (json) {
      const switches = new Set(["json"]);
      printResult(terminal, { text: {}, switches, positionals: [] }, { passed, results });
    } else terminal.print(`${passed} of ${results.length} as expected`);
    const failed = results.filter(({ error }) => error !== null);
    if (failed.length === 0) return;
    throw new UsageError(
      `The engine failed on ${failed.length} of ${results.length} texts: ${failed[0]!.error}`,
    );
  },
});

function* linesOf({ text, expected, passed, found, error, ms }: TrialResult): Generator<string> {
  yield `${passed ? "ok  " : "FAIL"} ${text} (${ms} ms)`;
  if (!passed) yield `     expected: ${expected ?? "nothing"}`;
  if (error !== null) yield `     error: ${error}`;
  else yield `     found: ${found.length === 0 ? "nothing" : found.join(" | ")}`;
}
