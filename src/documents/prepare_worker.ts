/** The thread in which large documents are prepared. */

import { answerQuestions } from "../kernel/worker_client.ts";
import { prepareChunks } from "./prepare.ts";

answerQuestions(prepareChunks);
