import type { Queries } from '../db/database.ts';
import { audit } from '../db/schema.ts';

/** One change of state: who changed what, when, from which state to which. */
export interface AuditEntry {
  readonly propertyId: string;
  readonly bookingReference: string;
  /** Unique, and growing with time. */
  readonly id: number;
  readonly atMs: number;
  /** A client id, or `alarm`. */
  readonly actor: string;
  /** `booking`, `card <token>`, `charge <id>` or `refund <id>`. */
  readonly subject: string;
  readonly from: string | null;
  readonly to: string;
  readonly detail?: string | undefined;
}

/** Appends an entry; it belongs in the same batch as the change that it tells of. */
export function appendAudit(queries: Queries, entry: AuditEntry) {
  return queries.insert(audit).values({ ...entry, detail: entry.detail ?? null });
}
