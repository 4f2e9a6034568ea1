/** Checks the Python client's module for Pydantic AI. */

import { checkFramework } from "../python_framework.ts";

await checkFramework("pydantic-ai");
