import { bringBack } from '../booking/stub.ts';
import type { GatewayMovement } from '../gateways/movements.ts';
import { fewAtOnce } from '../platform/fewAtOnce.ts';
import { aboutBooking, logError, logWarning } from '../platform/log.ts';
import { readFile } from '../records/archive/file.ts';
import { rowsIn } from '../records/archive/rows.ts';
import { history } from '../schema/historyTables.ts';
import type { ArchivedBookingRow } from '../schema/lifeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { inArchive } from './rules/archivedRows.ts';
import type { ReconciliationWork } from './work.ts';

/** What movements came to of which D1 has no charge, and whose bookings are archived. */
export interface OfArchive {
  /** Those that the archive has. */
  readonly agreed: readonly GatewayMovement[];
  /** Those of which nothing can be said now: their booking could not be read, or could not come back. */
  readonly unread: readonly GatewayMovement[];
}

/**
 * Compares movements with the archived bookings that they name. A booking whose movements its file has stays where it is; one
 * that lacks any comes back, to be compared like every other. A read of R2 for each booking, and a call for each that comes back.
 */
export async function compareArchived(
  work: ReconciliationWork,
  movements: readonly GatewayMovement[],
  archived: readonly ArchivedBookingRow[],
): Promise<OfArchive> {
  const compared = await fewAtOnce(archived, (booking) =>
    compareBooking(
      work,
      booking,
      movements.filter((one) => isOf(one, booking)),
    ),
  );
  return {
    agreed: compared.flatMap(({ agreed }) => agreed),
    unread: compared.flatMap(({ unread }) => unread),
  };
}

function isOf({ about }: GatewayMovement, { propertyId, reference }: ArchivedBookingRow): boolean {
  return about?.propertyId === propertyId && about.bookingReference === reference;
}

/** One file that cannot be read holds up no other booking. */
async function compareBooking(
  work: ReconciliationWork,
  { objectKey, propertyId, reference }: ArchivedBookingRow,
  movements: readonly GatewayMovement[],
): Promise<OfArchive> {
  const { counts, env, gateway, requestId, trace } = work;
  const context = { propertyId, reference, requestId, actor: 'gateway' };
  const about = aboutBooking(context);
  try {
    counts.calls += 1;
    const rows = await readFile({ bucket: env.EXPORTS, trace }, objectKey);
    const agreed = inArchive(gateway.name, movements, {
      entries: rowsIn(history, rows),
      charges: rowsIn(transactions, rows),
      refunds: rowsIn(refunds, rows),
    });
    if (agreed.length === movements.length) return { agreed, unread: [] };
    counts.calls += 1;
    const back = await bringBack(work, context);
    if (back.ok) return { agreed: [], unread: [] };
    logWarning('reconciliation_unanswered', { ...about, why: back.error.code });
  } catch (error) {
    logError('reconciliation_unanswered', error, about);
  }
  return { agreed: [], unread: movements };
}
