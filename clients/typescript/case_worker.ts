/**
 * Runs all cases on workerd, the runtime of edge workers. A request has the run and the cases as JSON,
 * and the response the failures.
 */

import * as library from "@commonplace/client";
import { type Case, type Run, runCase } from "./case_runner.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const { run, cases } = await request.json() as { run: Run; cases: Case[] };
    const failures: { name: string; message: string }[] = [];
    for (const entry of cases) {
      try {
        await runCase(library, run, entry);
      } catch (error) {
        failures.push({ name: entry.name, message: (error as Error).message });
      }
    }
    return Response.json({ failures });
  },
};
