/** Runs an agent of Microsoft's Agent Framework whose memory is the mem0-compatible API. */

import { join } from "node:path";
import { pythonEnvironment } from "../../../testing/python.ts";
import { reportOutput, withMem0Server } from "../mem0.ts";

const HERE = import.meta.dirname!;

const python = await pythonEnvironment("agent-framework-mem0", join(HERE, "requirements.txt"));
await withMem0Server(async (env) => {
  reportOutput(await python.check("python", [join(HERE, "programs/agent.py")], { env }));
});
