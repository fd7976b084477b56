import { failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectRefunds } from '../../operation/shownStore.ts';
import type { Database } from '../../platform/db/database.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { type BookingName, selectReference } from '../../records/bookings/store.ts';
import { selectLastSettlement } from '../../records/settlements/store.ts';
import { selectTransactions } from '../payments/store.ts';
import { type SettlementView, settlementView } from './views.ts';

/** Reads the booking's latest settlement as it is now (interface: Get a settlement). One round trip. */
export async function readSettlement(
  database: Database,
  name: BookingName,
  currency: string,
): Promise<Result<SettlementView>> {
  const { propertyId, reference } = name;
  const [[booking], [settlement], transactions, refunds] = await database.batch(
    'd1.settlement.read',
    [
      selectReference(propertyId, reference),
      selectLastSettlement(name),
      selectTransactions(name),
      selectRefunds(propertyId, reference),
    ],
  );
  if (!booking) return err(bookingNotFound());
  if (!settlement) return err(SETTLEMENT_NOT_FOUND);
  return ok(settlementView(settlement, { transactions, refunds }, currency));
}

const SETTLEMENT_NOT_FOUND = failure(
  'settlement_not_found',
  'The booking was not cancelled by a quote.',
);
