/** Calls the tools without an agent: `node tools.js TEXT` remembers a text and finds it. */

import { Commonplace } from "@commonplace/client";
import { memoryTools } from "@commonplace/client/langchain";

const [search, add] = memoryTools(new Commonplace({ userId: "ana" }));
const text = process.argv[2] ?? "";
await add!.invoke({ content: text });
process.stdout.write(await search!.invoke({ query: text }));
