/**
 * Endpoints of the hosted variant. Some cost credits, and more of them require an idempotency key
 * than in the self-hosted variant.
 */

import { type ContextBody, countSearches } from "../context/schema.ts";
import type { Actor, Change, Endpoint, EndpointResponse } from "../contract/endpoint.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import type { Ledger } from "./ledger.ts";
import * as prices from "./prices.ts";

/** Endpoints that require an Idempotency-Key only in this variant. */
const KEY_REQUIRED_OPERATIONS: ReadonlySet<string> = new Set([
  "ingestDocument",
  "deleteDocument",
  "giveFeedback",
  "clearFeedback",
]);

/** Pays for a change based on its response, within the same unit of work. */
type Payment = (ledger: Ledger, tx: Tx, actor: Actor, response: EndpointResponse) => Promise<void>;

/** Response fields used for metering. */
interface MeteredBody {
  readonly event_id?: string;
  readonly created?: boolean;
  readonly chunks?: number;
  readonly id?: string;
  readonly source_asset?: { readonly size_bytes: number };
  readonly operation?: { readonly id: string };
}

const COMMAND_PAYMENTS: Readonly<Record<string, Payment>> = {
  async addMemories(ledger, tx, { project, requestId }, response) {
    const { event_id } = response.body as MeteredBody;
    if (event_id === undefined) {
      return await ledger.charge(tx, {
        project,
        identity: requestId,
        amount: prices.VERBATIM_ADD_CREDITS,
      });
    }
    await ledger.reserve(tx, { project, identity: event_id, amount: prices.INFERRED_ADD_CREDITS });
  },
  async ingestDocument(ledger, tx, { project, requestId }, response) {
    const { created, chunks = 0 } = response.body as MeteredBody;
    const amount = created === true ? prices.CREDITS_PER_CHUNK * chunks : 0;
    await ledger.charge(tx, { project, identity: requestId, amount });
  },
  async completeUpload(ledger, tx, { project }, response) {
    const { source_asset, operation } = response.body as MeteredBody;
    const amount = prices.extractionPrice(source_asset!.size_bytes);
    await ledger.reserve(tx, {
      project,
      identity: prices.extractionIdentity(operation!.id),
      amount,
    });
  },
  async retryOperation(ledger, tx, { project }, response) {
    const { id } = response.body as MeteredBody;
    // At most one of these two identities is set.
    await ledger.reserveAgain(tx, { project, identity: id! });
    await ledger.reserveAgain(tx, { project, identity: prices.extractionIdentity(id!) });
  },
};

/** Query prices by the parsed body, in credits. */
const QUERY_PRICES: Readonly<Record<string, (body: unknown) => number>> = {
  searchMemories: () => prices.SEARCH_CREDITS,
  searchDocuments: () => prices.SEARCH_CREDITS,
  getContext: (body) => prices.SEARCH_CREDITS * countSearches(body as ContextBody),
};

/** Builds the hosted variant's endpoints on top of the self-hosted ones. */
export function hostedEndpoints(
  endpoints: readonly Endpoint[],
  ledger: Ledger,
  store: Store,
): Endpoint[] {
  return endpoints.map((endpoint) => {
    const { operationId } = endpoint;
    const payment = COMMAND_PAYMENTS[operationId];
    const price = QUERY_PRICES[operationId];
    if ("change" in endpoint) {
      const withRequiredKey = KEY_REQUIRED_OPERATIONS.has(operationId)
        ? { ...endpoint, idempotencyKey: "required" } as const
        : endpoint;
      return payment === undefined
        ? withRequiredKey
        : meterCommand(withRequiredKey, ledger, payment);
    }
    return price === undefined ? endpoint : meterQuery(endpoint, ledger, store, price);
  });
}

type AnyCommandEndpoint = Extract<Endpoint, { change: unknown }>;
type AnyQueryEndpoint = Extract<Endpoint, { read: unknown }>;

function meterCommand(endpoint: AnyCommandEndpoint, ledger: Ledger, payment: Payment): Endpoint {
  return {
    ...withCreditErrors(endpoint),
    async change(call) {
      const change = await endpoint.change(call);
      const withPayment = (write: Change): Change => async (tx) => {
        const response = await write(tx);
        await payment(ledger, tx, call.actor, response);
        return response;
      };
      return typeof change === "function"
        ? withPayment(change)
        : { ...change, write: withPayment(change.write), dispose: () => change.dispose() };
    },
  };
}

function meterQuery(
  endpoint: AnyQueryEndpoint,
  ledger: Ledger,
  store: Store,
  price: (body: unknown) => number,
): Endpoint {
  return {
    ...withCreditErrors(endpoint),
    async read(call) {
      const { project, requestId } = call.actor;
      const amount = price(call.body);
      if (amount === 0) return await endpoint.read(call);
      await store.read((db: Reader) => ledger.requireCredits(db, project, amount));
      const response = await endpoint.read(call);
      // A request can run several queries, e.g. the search of everything in MCP.
      const identity = `${requestId}/${endpoint.operationId}`;
      await store.write(project, (tx) => ledger.charge(tx, { project, identity, amount }));
      return response;
    },
  };
}

function withCreditErrors<E extends Endpoint>(endpoint: E): E {
  return { ...endpoint, errors: [...endpoint.errors ?? [], "INSUFFICIENT_CREDITS"] };
}
