/** The thread that copies: a server goes on while its directory is read. */

import { copyDataDirectory } from "./copy.ts";
import { answerQuestions } from "../kernel/worker_client.ts";

/** What the thread is asked for. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
}

answerQuestions(({ source, target }: CopyRequest) => copyDataDirectory(source, target));
