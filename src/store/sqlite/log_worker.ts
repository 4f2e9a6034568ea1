/** The thread that copies the log into the database file. */

import { giveBackFreedMemory } from "../../kernel/memory.ts";
import { answerQuestions } from "../../kernel/worker_client.ts";
import { Connection } from "./connection.ts";
import { copyLog } from "./log.ts";

/** The database file. */
const path = (self as unknown as { name: string }).name;

/** Opened by the first question, so that a database that can't be opened is that one's answer. */
let connection: Connection | undefined;

answerQuestions((_: "copy"): void => {
  copyLog(connection ??= new Connection(path));
  // So much has been written that as much may have been freed.
  giveBackFreedMemory();
});
