/** The endpoints as the hosted variant has them: some cost credits, more of them need a key. */

import type { Actor, Answer, Change, Endpoint } from "../contract/endpoint.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import type { Ledger } from "./ledger.ts";
import * as prices from "./prices.ts";

/** Endpoints that need an Idempotency-Key here beside those that always do. */
const KEYED: ReadonlySet<string> = new Set([
  "ingestDocument",
  "deleteDocument",
  "giveFeedback",
  "clearFeedback",
]);

/** Pays for a change, in its unit of work, by what it answered. */
type Payment = (ledger: Ledger, tx: Tx, actor: Actor, answer: Answer) => Promise<void>;

/** What the answers of metered changes tell. */
interface Paid {
  readonly event_id?: string;
  readonly created?: boolean;
  readonly chunks?: number;
  readonly id?: string;
  readonly source_asset?: { readonly size_bytes: number };
  readonly operation?: { readonly id: string };
}

const CHANGES: Readonly<Record<string, Payment>> = {
  async addMemories(ledger, tx, { project, requestId }, answer) {
    const { event_id } = answer.body as Paid;
    if (event_id === undefined) {
      return await ledger.charge(tx, {
        project,
        identity: requestId,
        amount: prices.VERBATIM_ADD,
      });
    }
    await ledger.reserve(tx, { project, identity: event_id, amount: prices.INFERRED_ADD });
  },
  async ingestDocument(ledger, tx, { project, requestId }, answer) {
    const { created, chunks = 0 } = answer.body as Paid;
    const amount = created === true ? prices.CHUNK * chunks : 0;
    await ledger.charge(tx, { project, identity: requestId, amount });
  },
  async completeUpload(ledger, tx, { project }, answer) {
    const { source_asset, operation } = answer.body as Paid;
    const amount = prices.extractionPrice(source_asset!.size_bytes);
    await ledger.reserve(tx, { project, identity: prices.extractionOf(operation!.id), amount });
  },
  async retryOperation(ledger, tx, { project }, answer) {
    const { id } = answer.body as Paid;
    // An operation has one of the two identities, or none.
    await ledger.reserveAgain(tx, { project, identity: id! });
    await ledger.reserveAgain(tx, { project, identity: prices.extractionOf(id!) });
  },
};

/** Reads that cost credits. */
const READS: Readonly<Record<string, number>> = {
  searchMemories: prices.SEARCH,
  searchDocuments: prices.SEARCH,
};

/** Makes the endpoints of the hosted variant from those of the self-hosted one. */
export function hostedEndpoints(
  endpoints: readonly Endpoint[],
  ledger: Ledger,
  store: Store,
): Endpoint[] {
  return endpoints.map((endpoint) => {
    const { operationId } = endpoint;
    const payment = CHANGES[operationId];
    const price = READS[operationId];
    if ("change" in endpoint) {
      const keyed = KEYED.has(operationId)
        ? { ...endpoint, idempotencyKey: "required" } as const
        : endpoint;
      return payment === undefined ? keyed : paidChange(keyed, ledger, payment);
    }
    return price === undefined ? endpoint : paidRead(endpoint, ledger, store, price);
  });
}

type ChangeOf = Extract<Endpoint, { change: unknown }>;
type ReadOf = Extract<Endpoint, { read: unknown }>;

function paidChange(endpoint: ChangeOf, ledger: Ledger, payment: Payment): Endpoint {
  return {
    ...metered(endpoint),
    async change(call) {
      const change = await endpoint.change(call);
      const paid = (write: Change): Change => async (tx) => {
        const answer = await write(tx);
        await payment(ledger, tx, call.actor, answer);
        return answer;
      };
      return typeof change === "function"
        ? paid(change)
        : { ...change, write: paid(change.write), release: () => change.release() };
    },
  };
}

function paidRead(endpoint: ReadOf, ledger: Ledger, store: Store, amount: number): Endpoint {
  return {
    ...metered(endpoint),
    async read(call) {
      const { project, requestId } = call.actor;
      await store.read((db: Reader) => ledger.requireCredits(db, project, amount));
      const answer = await endpoint.read(call);
      await store.write((tx) => ledger.charge(tx, { project, identity: requestId, amount }));
      return answer;
    },
  };
}

function metered<E extends Endpoint>(endpoint: E): E {
  return { ...endpoint, errors: [...endpoint.errors ?? [], "INSUFFICIENT_CREDITS"] };
}
