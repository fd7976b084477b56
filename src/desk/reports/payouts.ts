import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectDisbursement } from '../../disbursements/store.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Page, type Part, pageOf } from '../../platform/db/page.ts';
import type { DisbursementItemRow, DisbursementRow } from '../../schema/disbursementTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { words } from '../words.ts';
import { type BankLine, type Likely, likeliest } from './bankLine.ts';
import {
  type PayoutItem,
  selectAround,
  selectItemSums,
  selectItemsOfMatches,
  selectPayoutItems,
} from './payoutStore.ts';

/** What the items of one category come to. */
export type ItemSum = Pick<
  DisbursementItemRow,
  'category' | 'grossMinor' | 'feeMinor' | 'netMinor'
> & { readonly number: number };

/** A payout, what it is made of, and a page of its items. */
export interface Payout {
  readonly row: DisbursementRow;
  readonly sums: readonly ItemSum[];
  readonly items: Page<PayoutItem>;
}

/** Reads a payout of a property with some of its items. One round trip. */
export async function readPayout(
  database: Database,
  property: Pick<PropertyRow, 'id'>,
  id: string,
  part: Part,
): Promise<Result<Payout, Failure>> {
  const { queries } = database;
  const [[row], sums, items] = await database.batch('d1.console.read', [
    selectDisbursement(queries, property.id, id),
    selectItemSums(queries, property.id, id),
    selectPayoutItems(queries, property.id, id, part),
  ]);
  if (!row) return err(failure('disbursement_not_found', words.refusals.noPayout));
  const page = pageOf(items, part.limit, (item) => [item.effectiveAtMs, item.id]);
  return ok({ row, sums, items: page });
}

/** What a bank line is: the payouts that are it or nearly so, and the first items of those that are. */
export interface Recognised {
  readonly likely: readonly Likely[];
  readonly items: readonly PayoutItem[];
}

/** Finds out what a bank line is (interface: Console). One round trip. */
export async function recogniseBankLine(
  database: Database,
  property: Pick<PropertyRow, 'id' | 'timeZone'>,
  line: BankLine,
  mostItems: number,
): Promise<Recognised> {
  const { queries } = database;
  const [rows, items] = await database.batch('d1.console.read', [
    selectAround(queries, property, line),
    selectItemsOfMatches(queries, property, line, mostItems),
  ]);
  return { likely: likeliest(line, rows), items };
}
