/** A worker that never answers, and fails at what it is told beside. */

import { answerQuestions } from "../../src/kernel/worker_client.ts";

answerQuestions((question: "wait" | "fail") => {
  if (question === "fail") throw new Error("Told something wrong");
  return new Promise<never>(() => {});
});
