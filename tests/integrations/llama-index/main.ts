/** Checks the Python client's module for LlamaIndex. */

import { checkFramework } from "../python_framework.ts";

await checkFramework("llama-index");
