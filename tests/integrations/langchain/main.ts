/** Checks the Python client's module for LangChain with its standard tests. */

import { checkFramework } from "../python_framework.ts";

await checkFramework("langchain");
