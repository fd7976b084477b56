import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { type AuditRow, audit } from '../../schema/recordTables.ts';

/** One change of state: who changed what, when, from which state to which. */
export interface AuditEntry {
  readonly propertyId: string;
  readonly bookingReference: string;
  /** Unique, and growing with time. */
  readonly id: number;
  readonly atMs: number;
  /** A client id, the id of a person of the staff, `guest`, `gateway` or `alarm`. */
  readonly actor: string;
  /** The person's name at that time. */
  readonly actorName?: string | null | undefined;
  /** `booking`, `card <token>`, `charge <id>`, `recovery <id of its charge>`, `refund <id>` or `message <id>`. */
  readonly subject: string;
  readonly from: string | null;
  readonly to: string;
  readonly detail?: string | undefined;
}

/** Appends an entry. It belongs in the same batch as its change. */
export function appendAudit(queries: Queries, entry: AuditEntry) {
  const { actorName = null, detail = null } = entry;
  return insertEntry(queries, { ...entry, actorName, detail });
}

const insertEntry = prepared<AuditRow>()((queries, row) => queries.insert(audit).values(row));

/** Selects entries, oldest first: those of a property's booking, or of people and settings. */
export function selectAudit(
  queries: Queries,
  places: readonly string[],
  bookingReference: string,
  { limit, after }: Part,
) {
  return queries
    .select()
    .from(audit)
    .where(
      and(
        inArray(audit.propertyId, places),
        eq(audit.bookingReference, bookingReference),
        comesAfter('ascending', [audit.id], after),
      ),
    )
    .orderBy(asc(audit.id))
    .limit(limit + 1);
}
