/** Checks the Python client's module for Google ADK against its in-memory service. */

import { checkFramework } from "../python_framework.ts";

await checkFramework("google-adk");
