/** Checks the Python client's module for OpenAI Agents. */

import { checkFramework } from "../python_framework.ts";

await checkFramework("openai-agents");
