/** The guide through a week is true: its commands are run, and answer what stands there. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { followed } from "../derived_service/views.ts";
import { withServer } from "../harness.ts";

const PAGE = new URL("../../docs/guides/a_week.md", import.meta.url);
const run = promisify(execFile);

/** The blocks of a page in their order. */
function blocks(page: string): { language: string; text: string }[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** Holds an answer against what the page shows of it: fields may be left out, `…` is anything. */
function shows(shown: unknown, real: unknown, path: string): void {
  if (typeof shown === "string" && shown.endsWith("…")) {
    ok(typeof real === "string" && real.startsWith(shown.slice(0, -1)), `${path}: ${real}`);
  } else if (Array.isArray(shown)) {
    ok(Array.isArray(real), path);
    strictEqual(real.length, shown.length, path);
    shown.forEach((each, index) => shows(each, real[index], `${path}[${index}]`));
  } else if (shown !== null && typeof shown === "object") {
    for (const [key, value] of Object.entries(shown)) {
      shows(value, (real as Record<string, unknown>)[key], `${path}.${key}`);
    }
  } else deepStrictEqual(real, shown, path);
}

Deno.test("the commands of the guide through a week answer what it shows", async () => {
  const [functions, week, ...asked] = blocks(readFileSync(PAGE, "utf8"));
  await withServer(async (server) => {
    const shell = async (command: string) => {
      const env = { PATH: Deno.env.get("PATH")!, URL: server.url, KEY: server.key };
      return (await run("sh", ["-c", `${functions!.text}\n${command}`], { env })).stdout;
    };
    for (const line of week!.text.trim().split("\n")) {
      strictEqual(JSON.parse(await shell(line)).status, "PENDING", line);
      await followed(server);
    }
    let answer: unknown;
    let compared = 0;
    for (const { language, text } of asked) {
      if (language === "sh") answer = JSON.parse(await shell(text));
      else {
        shows(JSON.parse(text), answer, "answer");
        compared++;
      }
    }
    strictEqual(compared, 5);
  });
});
