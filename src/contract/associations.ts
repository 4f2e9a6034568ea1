/** Links between records: each slice knows its own, and a snapshot holds them in one section. */

import { z } from "zod";
import { storedTimestamp } from "./fields.ts";
import { type SnapshotPage, type SnapshotSection, snapshotSection } from "./snapshot.ts";

/**
 * A link; `messages` are the places of what an inferred memory was made of, else null, and
 * `event_date` is the date by which it was told, absent in what an earlier build has exported.
 */
const associationRecord = z.object({
  kind: z.enum(["memory_from_inference", "memory_superseded_by", "document_from_asset"]),
  from_id: z.string(),
  to_id: z.string(),
  messages: z.array(z.int().min(0)).nullable(),
  event_date: storedTimestamp.nullable().optional(),
});

export type Association = z.output<typeof associationRecord>;

/** The links that one slice knows. */
export interface AssociationSource
  extends Required<Pick<SnapshotSection<Association>, "page" | "refersTo">> {
  readonly kinds: readonly Association["kind"][];
  /** Absent where the linked records themselves bring the link back. */
  readonly insert?: NonNullable<SnapshotSection<Association>["insert"]>;
}

/** The section of all links, source after source. */
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
