/**
 * Starts servers on failing disks: on a new directory, on one whose server was killed, and on one
 * with the oldest schema. Each start either succeeds or reports in a single line why it can't. The
 * next start on a working disk then finds everything.
 */

import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import { readRecords } from "../../testing/engine.ts";
import { encodeRequest, HttpConnection } from "../../testing/http_connection.ts";
import { checkRecords } from "../crash/invariants.ts";
import { Violation } from "../crash/violation.ts";
import { ServeProcess } from "../../testing/program.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { unpack } from "../upgrade/fixture.ts";
import { type FaultName, type FaultReport, FAULTS } from "./faults.ts";
import { buildShim, shimEnvironment } from "./shim.ts";

/** The format of a startup error. */
const REFUSAL = /^commonplace: [^\n]+\n$/;

/** The directories to start on, by name. Each one is created in an empty folder. */
const DIRECTORIES: Readonly<Record<string, (directory: string) => Promise<void> | void>> = {
  "a new directory": () => {},
  "a directory whose server was killed": async (directory) => {
    const server = await ServerProcess.start(directory);
    const connection = await HttpConnection.open(server.url);
    for (let count = 0; count < MEMORY_COUNT; count++) {
      const headers = { authorization: `Bearer ${SERVER_KEY}` };
      const body = { content: `memory ${count}`, user_id: "ana", infer: false };
      await connection.send(encodeRequest("POST", "/v1/memories", headers, body));
    }
    connection.close();
    await server.kill();
  },
  "a directory of the oldest schema": (directory) => unpack(1, directory),
};
const MEMORY_COUNT = 5;

/**
 * Makes the calls `first`, `first + step`, … of each start fail, each in a separate start.
 *
 * @throws Violation if a start neither works nor fails with a single line, or if it loses anything
 */
export async function runFailingStarts(
  fault: FaultName,
  first = 1,
  step = 1,
): Promise<FaultReport> {
  const report: FaultReport = { fault, runs: 0, failures: 0, refused: 0, calls: 0 };
  const folder = makeTempDirSync();
  try {
    const library = await buildShim(folder);
    let next = first;
    for (const [name, make] of Object.entries(DIRECTORIES)) {
      const template = join(folder, `template-${report.calls}`);
      mkdirSync(template, { recursive: true });
      await make(join(template, "data"));
      const expected = await memoriesOfCopy(template);
      const run = (at: number) => startAt({ folder, template, library, expected }, fault, at);
      const { calls } = await run(0);
      for (; next <= report.calls + calls; next += step) {
        const at = next - report.calls;
        const { failed, refused } = await run(at).catch((error: Error) => {
          throw new Violation(`${name}, ${fault} at call ${at} of ${calls}: ${error.stack}`);
        });
        report.runs += failed > 0 ? 1 : 0;
        report.failures += failed;
        report.refused += refused ? 1 : 0;
      }
      report.calls += calls;
    }
    return report;
  } finally {
    await rm(folder);
  }
}

interface StartSetup {
  readonly folder: string;
  readonly template: string;
  readonly library: string;
  /** How many memories there were before and after, or null for a new directory. */
  readonly expected: number | null;
}

async function startAt(
  { folder, template, library, expected }: StartSetup,
  fault: FaultName,
  at: number,
): Promise<{ calls: number; failed: number; refused: boolean }> {
  const [root, control] = [join(folder, "root"), join(folder, "control")];
  cpSync(template, root, { recursive: true });
  const data = join(root, "data");
  const { error, half, lasts } = FAULTS[fault];
  writeFileSync(control, new Uint8Array(new Uint32Array([at, error, half, lasts, 0, 0]).buffer));
  const program = ServeProcess.spawn(data, ["--log-level", "off"], {
    environment: {
      COMMONPLACE_API_KEY: SERVER_KEY,
      ...shimEnvironment(library, { root, control }),
    },
  });
  const started = await program.ready().then(() => true, () => false);
  const [, , , , calls, failed] = new Uint32Array(new Uint8Array(readFileSync(control)).buffer);
  clearFault(control);
  const { code, stderr } = await program.stop(started ? "SIGTERM" : null);
  if (started ? code !== 0 : code === 0 || !REFUSAL.test(stderr)) {
    throw new Violation(`started: ${started}, exited with ${code}: ${stderr}`);
  }
  await checkNextStart(data, expected);
  await rm(root);
  return { calls: calls!, failed: failed!, refused: !started };
}

function clearFault(control: string): void {
  const file = openSync(control, "r+");
  writeSync(file, new Uint8Array(4), 0, 4, 0);
  closeSync(file);
}

async function checkNextStart(data: string, expected: number | null): Promise<void> {
  await new SqliteStore(data).close();
  const faults = runDoctor(data).filter(({ ok }) => !ok);
  if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
  await readRecords(data, checkRecords);
  checkCopy(data);
  const found = memoriesIn(data);
  if (expected !== null && found !== expected) {
    throw new Violation(`expected ${expected} memories, found ${found}`);
  }
}

/**
 * Checks that the copy of the database that an upgrade makes is either complete or doesn't exist.
 */
function checkCopy(data: string): void {
  const path = `${databasePath(data)}.schema-1.bak`;
  if (!existsSync(path)) return;
  const copy = new Connection(path, { readOnly: true });
  try {
    const rows = copy.all<{ integrity_check: string }>(sql`pragma integrity_check`);
    if (rows[0]?.integrity_check !== "ok") {
      throw new Violation("the copy made before the upgrade is damaged");
    }
  } finally {
    copy.close();
  }
}

/**
 * Returns how many memories a directory contains, or null if it is new. Reads a copy, because
 * opening the database would clean it up.
 */
async function memoriesOfCopy(template: string): Promise<number | null> {
  if (!existsSync(databasePath(join(template, "data")))) return null;
  const copy = `${template}-copy`;
  cpSync(template, copy, { recursive: true });
  try {
    return memoriesIn(join(copy, "data"));
  } finally {
    await rm(copy);
  }
}

function memoriesIn(data: string): number {
  const db = new Connection(databasePath(data));
  try {
    return db.first<{ n: number }>(sql`select count(*) as n from memories`)!.n;
  } finally {
    db.close();
  }
}
