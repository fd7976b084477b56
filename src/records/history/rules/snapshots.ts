import { packed, unpacked } from '../../../core/packed.ts';
import { utcTimestamp } from '../../../core/time.ts';
import type { HistoryRow } from '../../../schema/historyTables.ts';

/** The columns of an entry whose values its snapshot repeats. */
interface Repeated
  extends Pick<HistoryRow, 'atMs' | 'chargeId' | 'gatewayReference' | 'subjectId'> {
  /** Null or empty for none. */
  readonly bookingReference: string | null;
}

/** The columns that {@link snapshotOf} reads. */
export interface Kept extends Repeated, Pick<HistoryRow, 'newContactId' | 'snapshot'> {}

export function packedSnapshot(snapshot: object, entry: Repeated): Uint8Array {
  return packed(snapshot, repeatedIn(entry));
}

/** Reads what the entry of an event keeps; null for an entry that is no event. */
export function snapshotOf(entry: Kept): unknown {
  const { newContactId, snapshot: bytes } = entry;
  const snapshot = bytes && unpacked(bytes, repeatedIn(entry));
  return newContactId === null ? snapshot : withContact(snapshot, newContactId);
}

function withContact(snapshot: unknown, contactId: number): object {
  const { application, ...others } = snapshot as { readonly application: object };
  return { ...others, application: { ...application, contactId } };
}

function repeatedIn({ atMs, bookingReference, chargeId, gatewayReference, subjectId }: Repeated) {
  return [chargeId, bookingReference, subjectId, gatewayReference, utcTimestamp(atMs)];
}
