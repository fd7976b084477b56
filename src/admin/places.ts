import type { Database } from '../db/database.ts';
import { selectPlace } from '../payments/store.ts';
import { selectRefundPlace } from '../refunds/store.ts';

/** The booking that a charge or a refund belongs to. */
export interface Place {
  readonly propertyId: string;
  readonly reference: string;
}

/** Finds the booking of a charge or a refund of any property by its id, which is unique in the deployment. */
export async function findPlace(database: Database, id: number): Promise<Place | null> {
  const { queries } = database;
  const [[payment], [refund]] = await database.batch('d1.place.read', [
    selectPlace(queries, id),
    selectRefundPlace(queries, id),
  ]);
  return payment ?? refund ?? null;
}
