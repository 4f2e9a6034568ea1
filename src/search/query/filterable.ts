/** What filters can read of memories and documents. */

/** A record that filters can read. `metadata` is parsed. */
export interface FilterRecord {
  readonly metadata: unknown;
}

/** The memory fields readable by filters. */
export interface Filterable extends FilterRecord {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly importance: number;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

/** The document fields readable by filters. */
export interface FilterableDocument extends FilterRecord {
  readonly id: string;
  readonly source_key: string;
  readonly title: string;
  readonly mime_type: string;
  readonly source_uri: string | null;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly size_bytes: number;
  readonly created_at: string;
}

/** The fields of one kind of record, as opposed to its metadata. All others hold text. */
export interface FilterFields {
  readonly names: readonly string[];
  readonly dates: readonly string[];
  readonly numbers: readonly string[];
}

const MEMORY_DATES = ["created_at", "updated_at", "event_date", "valid_from", "valid_to"];

/** Fields of a memory. */
export const MEMORY_FIELDS: FilterFields = {
  names: [
    "id",
    "memory",
    "memory_type",
    "importance",
    "user_id",
    "agent_id",
    "run_id",
    ...MEMORY_DATES,
  ],
  dates: MEMORY_DATES,
  numbers: ["importance"],
};

/** Fields of a document. */
export const DOCUMENT_FIELDS: FilterFields = {
  names: [
    "id",
    "source_key",
    "title",
    "mime_type",
    "source_uri",
    "user_id",
    "agent_id",
    "run_id",
    "size_bytes",
    "created_at",
  ],
  dates: ["created_at"],
  numbers: ["size_bytes"],
};
