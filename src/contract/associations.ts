/**
 * Links between records. Each slice provides its own; a snapshot stores them all in a single
 * section.
 */

import { z } from "zod";
import { storedTimestamp } from "./stored_fields.ts";
import { type SnapshotPage, type SnapshotSection, snapshotSection } from "./snapshot.ts";

/**
 * A link between two records. `messages` holds the indexes of the messages an inferred memory was
 * made from, and is null for other links. `event_date` is the date of the add that stated the fact,
 * missing in exports from earlier builds.
 */
const associationRecord = z.object({
  kind: z.enum(["memory_from_inference", "memory_superseded_by", "document_from_asset"]),
  from_id: z.string(),
  to_id: z.string(),
  messages: z.array(z.int().min(0)).nullable(),
  event_date: storedTimestamp.nullable().optional(),
});

export type Association = z.output<typeof associationRecord>;

/** The links provided by one slice. */
export interface AssociationSource
  extends Required<Pick<SnapshotSection<Association>, "page" | "refersTo">> {
  readonly kinds: readonly Association["kind"][];
  /** Inserts the links. Absent if inserting the linked records already restores them. */
  readonly insert?: NonNullable<SnapshotSection<Association>["insert"]>;
}

/** Returns the snapshot section for all links, one source after the other. */
export function associationsSection(sources: readonly AssociationSource[]): SnapshotSection {
  return snapshotSection<Association>({
    name: "associations",
    schema: associationRecord,
    async page(db, project, after, count): Promise<SnapshotPage> {
      const [index, ...position] = after ?? [0];
      const at = Number(index);
      const { records, next } = await sources[at]!.page(
        db,
        project,
        position.length === 0 ? null : position,
        count,
      );
      if (next !== null) return { records, next: [at, ...next] };
      return { records, next: at + 1 < sources.length ? [at + 1] : null };
    },
    refersTo: (link) =>
      sources.find(({ kinds }) => kinds.includes(link.kind))?.refersTo(link) ?? [],
    async insert(tx, project, records, first) {
      let skipped = 0;
      for (const { kinds, insert } of sources) {
        const own = records.filter(({ kind }) => kinds.includes(kind));
        if (own.length > 0) skipped += await insert?.(tx, project, own, first) ?? 0;
      }
      return skipped;
    },
  });
}
