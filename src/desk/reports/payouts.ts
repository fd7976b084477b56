import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectCountedDisbursements, selectDisbursement } from '../../disbursements/store.ts';
import { type Page, type Part, pageOf } from '../../platform/db/page.ts';
import type { DisbursementItemRow, DisbursementRow } from '../../schema/disbursementTables.ts';
import { mayReport, type ReportWork } from './access.ts';
import { type BankLine, type Likely, likeliest } from './bankLine.ts';
import {
  type PayoutItem,
  selectAround,
  selectItemSums,
  selectItemsOfMatches,
  selectPayoutItems,
} from './payoutStore.ts';

/** A payout in a list. */
export type CountedPayout = DisbursementRow & { readonly items: number };

/** Lists a property's payouts, newest first. One round trip. */
export async function listPayouts(
  { database, person, property }: ReportWork,
  part: Part,
): Promise<Result<Page<CountedPayout>, Failure>> {
  const may = mayReport(person, property);
  if (!may.ok) return may;
  const filter = { fromMs: null, beforeMs: null, status: null };
  const [found] = await database.batch('d1.console.read', [
    selectCountedDisbursements(database.queries, property.id, filter, part),
  ]);
  return ok(pageOf(found, part.limit, ({ effectiveAtMs, id }) => [effectiveAtMs, id]));
}

/** What the items of one category come to. */
export type ItemSum = Pick<
  DisbursementItemRow,
  'category' | 'grossMinor' | 'feeMinor' | 'netMinor'
> & { readonly number: number };

/** A payout, what it is made of, and a page of its items. */
export interface Payout {
  readonly row: DisbursementRow;
  readonly sums: readonly ItemSum[];
  readonly items: readonly PayoutItem[];
}

/** Reads a payout of a property with some of its items. One round trip. */
export async function readPayout(
  { database, person, property }: ReportWork,
  id: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<Result<Payout, Failure>> {
  const may = mayReport(person, property);
  if (!may.ok) return may;
  const { queries } = database;
  const [[row], sums, items] = await database.batch('d1.console.read', [
    selectDisbursement(queries, property.id, id),
    selectItemSums(queries, property.id, id),
    selectPayoutItems(queries, property.id, id, page),
  ]);
  if (row) return ok({ row, sums, items });
  return err(failure('disbursement_not_found', 'The property has no payout with this id.'));
}

/** What a bank line is: the payouts that are it or nearly so, and the first items of those that are. */
export interface Recognised {
  readonly likely: readonly Likely[];
  readonly items: readonly PayoutItem[];
}

/** Finds out what a bank line is (interface: Console). One round trip. */
export async function recogniseBankLine(
  { database, person, property }: ReportWork,
  line: BankLine,
  mostItems: number,
): Promise<Result<Recognised, Failure>> {
  const may = mayReport(person, property);
  if (!may.ok) return may;
  const { queries } = database;
  const [rows, items] = await database.batch('d1.console.read', [
    selectAround(queries, property, line),
    selectItemsOfMatches(queries, property, line, mostItems),
  ]);
  return ok({ likely: likeliest(line, rows), items });
}
