/** The house, put together: one store and every service on it, for the server and the verbs. */

import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import type { Foundation } from "../contract/foundation.ts";
import { EntityService } from "../entities/service.ts";
import { EventService } from "../events/service.ts";
import { HealthService } from "../health/service.ts";
import { systemClock } from "../kernel/clock.ts";
import { Cursors } from "../kernel/cursor.ts";
import { systemRandom, ulidIds } from "../kernel/ids.ts";
import { AccessLog } from "../memories/access.ts";
import { FeedbackService } from "../memories/feedback.ts";
import { MemoryService } from "../memories/service.ts";
import { OperationService } from "../operations/service.ts";
import { KeyService } from "../projects/keys.ts";
import { ProjectService } from "../projects/service.ts";
import { SqliteStore } from "../store/sqlite/store.ts";

/** Everything that a data directory can do. */
export interface House {
  readonly foundation: Foundation;
  readonly projects: ProjectService;
  readonly keys: KeyService;
  readonly memories: MemoryService;
  readonly feedback: FeedbackService;
  readonly access: AccessLog;
  readonly entities: EntityService;
  readonly operations: OperationService;
  readonly events: EventService;
  readonly health: HealthService;
}

/** Opens a data directory and moves in. */
export async function openHouse(directory: string): Promise<House> {
  const clock = systemClock();
  const store = new SqliteStore(directory);
  const secret = await instanceSecret(store);
  const foundation: Foundation = {
    store,
    clock,
    ids: ulidIds(clock, systemRandom()),
    cursors: new Cursors(secret),
  };
  const memories = new MemoryService(foundation);
  return {
    foundation,
    projects: new ProjectService(foundation),
    keys: new KeyService(foundation),
    memories,
    feedback: new FeedbackService(foundation),
    access: new AccessLog(foundation),
    entities: new EntityService(foundation, memories),
    operations: new OperationService(foundation),
    events: new EventService(foundation),
    // Inference isn't built yet, and health says so rather than wait for work to pile up.
    health: new HealthService(foundation, () => ({
      configured: false,
      initialized: false,
      code: "PROVIDER_NOT_CONFIGURED",
    })),
  };
}

/** A secret of this data directory, made at its first opening; signs cursors. */
async function instanceSecret(store: SqliteStore): Promise<string> {
  const read = () =>
    store.read((db) =>
      db.first<{ value: string }>(sql`select value from meta where name = 'secret'`)
    );
  const known = await read();
  if (known !== undefined) return known.value;
  await store.write((tx) =>
    tx.run(sql`insert into meta (name, value) values ('secret', ${randomBytes(32).toString("hex")})
      on conflict (name) do nothing`)
  );
  return (await read())!.value;
}
