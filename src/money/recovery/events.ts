import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';

export function expiringEvent(_w: BookingWork, _charge: TransactionRow, _card: CardRow): Statement[] {
  return [];
}
export function flaggedEvent(_w: BookingWork, _charge: TransactionRow): Statement[] {
  return [];
}
