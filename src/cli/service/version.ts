/** `commonplace version`: prints the program and runtime versions. */

import { DatabaseSync } from "node:sqlite";
import { SCHEMA_VERSION } from "../../store/sqlite/migrations.ts";
import { PRODUCT, VERSION } from "../../version.ts";
import { type Command, printResult, readFlags } from "../command.ts";

export const version: Command = {
  name: "version",
  summary: "print the versions of the program and its runtime",
  usage: ["commonplace version"],
  run(args, terminal) {
    const flags = readFlags(args);
    const memory = new DatabaseSync(":memory:");
    const sqlite = memory.prepare("select sqlite_version() as version").get()!["version"];
    memory.close();
    printResult(terminal, flags, {
      name: PRODUCT,
      version: VERSION,
      schema: SCHEMA_VERSION,
      deno: Deno.version.deno,
      sqlite: String(sqlite),
      platform: Deno.build.target,
    });
    return Promise.resolve();
  },
};
