import { and, asc, eq, gt } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { audit } from '../../platform/db/recordTables.ts';

type AuditRow = typeof audit.$inferSelect;

/** One change of state: who changed what, when, from which state to which. */
export interface AuditEntry {
  readonly propertyId: string;
  readonly bookingReference: string;
  /** Unique, and growing with time. */
  readonly id: number;
  readonly atMs: number;
  /** A client id, or `alarm`. */
  readonly actor: string;
  /** `booking`, `card <token>`, `charge <id>`, `recovery <id of its charge>`, `refund <id>` or `message <id>`. */
  readonly subject: string;
  readonly from: string | null;
  readonly to: string;
  readonly detail?: string | undefined;
}

/** Appends an entry. It belongs in the same batch as its change. */
export function appendAudit(queries: Queries, entry: AuditEntry) {
  return insertEntry(queries, { ...entry, detail: entry.detail ?? null });
}

const insertEntry = prepared<AuditRow>()((queries, row) => queries.insert(audit).values(row));

/** Selects a booking's entries after a given id, oldest first. */
export function selectAudit(
  queries: Queries,
  propertyId: string,
  bookingReference: string,
  afterId: number,
  limit: number,
) {
  return queries
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.propertyId, propertyId),
        eq(audit.bookingReference, bookingReference),
        gt(audit.id, afterId),
      ),
    )
    .orderBy(asc(audit.id))
    .limit(limit);
}
