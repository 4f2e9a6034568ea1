/** Prints what the retriever and a tool of LangChain add to the calls of the client. */

import { CommonplaceRetriever, memoryTools } from "@commonplace/client/langchain";
import { clientWithMemories, printOverhead, QUERY } from "./measure_overhead.ts";

const client = await clientWithMemories();
const retriever = new CommonplaceRetriever({ client });
const plain = () => client.memories.search(QUERY, { top_k: 8 });
await printOverhead("CommonplaceRetriever", plain, () => retriever.invoke(QUERY));
const [search] = memoryTools(client);
await printOverhead("memoryTools", plain, () => search!.invoke({ query: QUERY }));
