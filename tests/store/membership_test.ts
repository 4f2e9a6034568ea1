/** Tests of the processes on one PostgreSQL database: who exists, who leads, and their notices. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { LeaderElection, type LeaderWork } from "../../src/server/leader_election.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import type { Lead } from "../../src/store/membership.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { PgMembership } from "../../src/store/postgres/membership.ts";
import { type Notice, readCopyReport, readNotice } from "../../src/store/postgres/notices.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import type { Channel } from "../../src/store/store.ts";
import { startCuttingProxy } from "../../testing/cutting_proxy.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { postgres } from "./engines.ts";

/** Two processes on one new schema. */
interface Processes {
  readonly address: PgAddress;
  readonly first: PgMembership;
  readonly second: PgMembership;
}

async function withProcesses(work: (processes: Processes) => Promise<void>): Promise<void> {
  const address = (await postgres()).newSchema();
  await (await PgStore.open(address)).close();
  const [first, second] = ["first", "second"].map((boot, index) =>
    new PgMembership(address, {
      boot: `${boot}Process`,
      version: "1.2.3",
      startedAt: index * 1_000,
    })
  );
  try {
    await first!.join("server");
    await second!.join("local");
    await work({ address, first: first!, second: second! });
  } finally {
    await first!.leave();
    await second!.leave();
  }
}

function testProcesses(name: string, work: (processes: Processes) => Promise<void>): void {
  testWith(["initdb", "setpriv"], name, () => withProcesses(work));
}

/** Ends a process's connections at the server. Returns how many there were. */
async function terminate(boot: string): Promise<number> {
  const server = await postgres();
  const rows = await server.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'commonplace-% ${boot.slice(0, 8)} %'`);
  return rows.length;
}

testProcesses(
  "members() lists the processes of this schema, and which one leads",
  async ({ first, second }) => {
    const lead = await first.tryLead();
    deepStrictEqual(await second.members(), [
      {
        kind: "server",
        id: "firstPro",
        version: "1.2.3",
        since: "1970-01-01T00:00:00.000Z",
        leads: true,
        copies: null,
      },
      {
        kind: "local",
        id: "secondPr",
        version: "1.2.3",
        since: "1970-01-01T00:00:01.000Z",
        leads: false,
        copies: null,
      },
    ]);
    lead!.release();
    await first.leave();
    deepStrictEqual((await second.members()).map(({ id }) => id), ["secondPr"]);
  },
);

testProcesses(
  "tryLead() lets one process lead, and the other one after it has let go",
  async ({ first, second }) => {
    const lead = await first.tryLead();
    strictEqual(await lead!.shouldYield(), false);
    strictEqual(await second.tryLead(), null);
    lead!.release();
    const next = await waitUntil(() => second.tryLead(), (lead) => lead !== null);
    strictEqual(await first.tryLead(), null);
    next!.release();
  },
);

testProcesses(
  "tryLead() gives the lead to another process if the connection of the leader ends",
  async ({ first, second }) => {
    const lead = await first.tryLead() as Lead;
    const lost = Promise.withResolvers<void>();
    lead.onLost(lost.resolve);
    strictEqual(await terminate(first.boot), 1);
    await lost.promise;
    strictEqual(await lead.shouldYield(), true);
    const next = await waitUntil(() => second.tryLead(), (lead) => lead !== null);
    next!.release();
    // Letting go of what is lost takes nothing from anyone.
    lead.release();
  },
);

testProcesses(
  "tryLead() gives the lead to another process after the leader's database has been silent",
  async ({ address, second }) => {
    const { port, url } = await postgres();
    const proxy = await startCuttingProxy(port);
    const behindProxy = { ...address, url: url.replace(`:${port}`, `:${proxy.port}`) };
    const leader = new PgMembership(behindProxy, {
      boot: "leader",
      version: "1.2.3",
      startedAt: 0,
    });
    try {
      await leader.join("local");
      const lead = await leader.tryLead() as Lead;
      let isLost = false;
      lead.onLost(() => isLost = true);
      strictEqual(await second.tryLead(), null);
      proxy.silence();
      strictEqual(await lead.shouldYield(), true);
      const next = await waitUntil(() => second.tryLead(), (lead) => lead !== null);
      strictEqual(isLost, true);
      next!.release();
    } finally {
      await leader.leave();
      proxy.close();
    }
  },
);

testProcesses(
  "LeaderElection gives up the lead if the work doesn't start, and tries again later",
  async ({ first, second }) => {
    const [stopped, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const broken: LeaderWork = {
      start: () => Promise.reject(new Error("a job doesn't start")),
      stop: () => Promise.resolve(stopped.resolve()),
    };
    const repaired: LeaderWork = {
      start: () => Promise.resolve(started.resolve()),
      stop: () => Promise.resolve(),
    };
    let work = broken;
    const log = jsonLog(systemClock(), "off", () => {});
    const election = new LeaderElection(first, () => work, log);
    election.start();
    try {
      await stopped.promise;
      const lead = await waitUntil(() => second.tryLead(), (lead) => lead !== null);
      work = repaired;
      lead!.release();
      await started.promise;
      strictEqual(await second.tryLead(), null);
    } finally {
      await election.stop();
    }
  },
);

testProcesses(
  "claim() gives a part of some work to one process, until it lets go or its connection ends",
  async ({ first, second }) => {
    const claim = await first.claim("sorting", 7);
    strictEqual(await second.claim("sorting", 7), null);
    for (const [work, part] of [["sorting", 8], ["mending", 7]] as const) {
      (await second.claim(work, part))!.release();
    }
    claim!.release();
    const claimOfSecond = () => second.claim("sorting", 7);
    (await waitUntil(claimOfSecond, (claim) => claim !== null))!.release();
    await waitUntil(() => first.claim("sorting", 7), (claim) => claim !== null);
    strictEqual(await terminate(first.boot), 1);
    (await waitUntil(claimOfSecond, (claim) => claim !== null))!.release();
  },
);

testProcesses(
  "goneAmong() names processes that have ended, and none that run",
  async ({ first, second }) => {
    const boots = [first.boot, second.boot, "earlier"];
    const gone = () => second.goneAmong(boots);
    deepStrictEqual(await gone(), []);
    deepStrictEqual(await waitUntil(gone, ({ length }) => length > 0), ["earlier"]);
    await first.leave();
    deepStrictEqual(await waitUntil(gone, ({ length }) => length > 1), [first.boot, "earlier"]);
  },
);

testProcesses(
  "goneAmong() forgets since when a process is missing once it isn't asked for",
  async ({ first, second }) => {
    await second.goneAmong(["earlier"]);
    await second.goneAmong([]);
    await waitUntil(() => first.goneAmong(["earlier"]), ({ length }) => length > 0);
    deepStrictEqual(await second.goneAmong(["earlier"]), []);
  },
);

testProcesses(
  "goneAmong() doesn't name a process whose connection was cut",
  async ({ first, second }) => {
    const gone = () => second.goneAmong([first.boot, "earlier"]);
    for (let found: readonly string[] = []; !found.includes("earlier");) {
      await terminate(first.boot);
      found = await gone();
      strictEqual(found.includes(first.boot), false);
      await waitUntil(() => second.members(), ({ length }) => length === 2);
      strictEqual((await gone()).includes(first.boot), false);
    }
  },
);

testProcesses(
  "notify() tells the other processes which projects have changed, and not itself",
  async ({ first, second }) => {
    const [own, others]: [Notice[], Notice[]] = [[], []];
    first.onNotice = (notice) => void own.push(notice);
    second.onNotice = (notice) => void others.push(notice);
    first.notify(new Set<Channel>(["journal", "garbage"]), 7);
    const heard = () => Promise.resolve(others);
    await waitUntil(heard, ({ length }) => length > 0);
    deepStrictEqual(others, [{ channels: ["journal"], projects: [7] }]);
    // Those within a short time are sent together. These are too many to list.
    for (let project = 1; project <= 2_000; project++) first.notify(new Set(["journal"]), project);
    await waitUntil(heard, (notices) => notices.at(-1)!.projects === null);
    deepStrictEqual(own, []);
  },
);

testProcesses(
  "members() includes how far the search copies of other servers are",
  async ({ address, second }) => {
    const copies = { projects: 2, filling: 1, bytes: 4_096, current_at: null };
    const third = new PgMembership(address, { boot: "thirdProcess", version: "1", startedAt: 0 });
    third.copyStatus = () => copies;
    await third.join("server");
    try {
      const copiesOf = async (membership: PgMembership) =>
        (await membership.members()).find(({ id }) => id === "thirdPro")!.copies;
      deepStrictEqual(await copiesOf(third), copies);
      deepStrictEqual(await waitUntil(() => copiesOf(second), (found) => found !== null), copies);
    } finally {
      await third.leave();
    }
  },
);

Deno.test("readCopyReport() ignores what isn't a report", () => {
  const copies = { projects: 1, filling: 0, bytes: 1, current_at: "2026-05-01T12:00:00.000Z" };
  const report = { from: "other", copies };
  deepStrictEqual(readCopyReport(JSON.stringify({ ...report, more: 1 })), report);
  for (
    const wrong of [{ bytes: -1 }, { filling: "1" }, { current_at: "soon" }, { projects: null }]
  ) {
    const payload = JSON.stringify({ from: "other", copies: { ...copies, ...wrong } });
    strictEqual(readCopyReport(payload), null, payload);
  }
  for (const payload of ["", "null", "{}", `{"from":"other","copies":null}`]) {
    strictEqual(readCopyReport(payload), null, payload);
  }
});

Deno.test("readNotice() ignores what isn't a notice, since every role can send to the channel", () => {
  const notice = { from: "other", channels: ["journal"], projects: null };
  deepStrictEqual(readNotice(JSON.stringify(notice), "me"), {
    channels: ["journal"],
    projects: null,
  });
  const others = ["", "x", "null", "{}", `{"channels":1,"projects":null}`, `{"channels":[]}`];
  for (const payload of others) strictEqual(readNotice(payload, "me"), null, payload);
});

testProcesses(
  "PgStore notifies its listeners of what other processes commit",
  async ({ address, first, second }) => {
    const [here, there] = [await PgStore.open(address), await PgStore.open(address)];
    try {
      here.onNotify = (channels, owner) => first.notify(channels, owner);
      second.onNotice = ({ channels }) => there.notify(channels);
      const woken = Promise.withResolvers<void>();
      const remove = there.listen("tasks", woken.resolve);
      await here.write("maintenance", async (tx) => {
        await tx.run(sql`insert into meta (name, value) values ('a', 'b')`);
        tx.notify("tasks");
      });
      await woken.promise;
      remove();
    } finally {
      await Promise.all([here.close(), there.close()]);
    }
  },
);
