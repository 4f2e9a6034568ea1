/** A fake model that replies with its prompt. */

import { FakeChatModel } from "@langchain/core/utils/testing";

export const model = new FakeChatModel({});
