import { digestOf } from '../../core/digest.ts';
import { offsetTimestamp } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { lackingMinor } from '../../records/plans/rules/follow.ts';
import { termOf } from '../../records/plans/rules/parts.ts';
import { NO_FEES } from '../../records/properties/rules/feeTerms.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanPart, PlanRow } from '../../schema/planTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { ownTransaction, paymentCommand } from '../payments/charge.ts';
import type { FiringEnd } from '../payments/rules/firing.ts';
import { amountOnCard } from '../payments/rules/onVirtualCard.ts';
import {
  amountToFire,
  type FiringAmount,
  type FiringSchedule,
} from '../payments/rules/overcharge.ts';
import { type LawfulPrice, priceCharge, withoutFees } from '../pricing/fees.ts';

/** A part that is due, with the card that it is charged on; null for none. */
export interface DuePart {
  readonly state: BookingState;
  readonly plan: PlanRow;
  readonly part: PlanPart;
  readonly card: CardRow | null;
}

/** The price of a part, as it is charged now (interface: A part is charged). */
export function priceOfPart(
  work: BookingWork,
  { card, part, plan, state }: DuePart,
  requestedMinor: number,
): LawfulPrice {
  const moment = { atMs: work.now(), stepMinor: work.gateway.amountStepMinor(plan.currency) };
  const { purpose } = termOf(plan.spec, part.id);
  const charged = { requestedMinor, purpose, virtualCard: (card?.virtual ?? null) !== null };
  const price = card && priceCharge(state.property, card, charged, moment);
  if (price?.ok) return price.value;
  const priced = withoutFees(requestedMinor, moment.stepMinor);
  return { priced, terms: NO_FEES, law: null, warnings: [] };
}

/** The row of a part's charge while it waits: a schedule of the part's time, which takes what is due at most. */
export function partRow(
  work: BookingWork,
  due: DuePart,
  reference: string,
  price: LawfulPrice,
): TransactionRow {
  const { card, part, plan, state } = due;
  const { label, purpose } = termOf(plan.spec, part.id);
  const body = {
    amount: price.priced.requestedMinor,
    transactionType: purpose,
    limitToDue: true,
    ...(label !== null && { description: label }),
    ...(plan.cardToken !== null && { token: plan.cardToken }),
  };
  const text = offsetTimestamp(part.dueAtMs, state.property.timeZone);
  const time = { text, atMs: part.dueAtMs };
  const command = paymentCommand(body, 'schedule', time, plan.currency, null);
  const ofPart = { planId: plan.id, partId: part.id };
  const named = { ...command, transactionReference: reference, part: ofPart };
  return ownTransaction(work, state, named, card, price);
}

/**
 * The reference of a part's charge. It follows from the part and from when its terms were put: made again after D1 was
 * restored, it is the reference that it had.
 */
export function partReference({ id, putAtMs }: PlanRow, part: PlanPart): Promise<string> {
  return digestOf(`${id} ${part.id} ${putAtMs}`, 16);
}

/** What a part takes now of what it lacks: what is due at most, and what its card gives; or the end of the charge. */
export async function amountOfPart(
  work: BookingWork,
  { card, part, plan, state }: DuePart & { readonly card: CardRow },
  terms: Omit<FiringSchedule, 'requestedMinor'>,
): Promise<FiringAmount | FiringEnd> {
  const { booking, property } = state;
  const { currency } = plan;
  const stepMinor = work.gateway.amountStepMinor(currency);
  const lacking = { ...terms, requestedMinor: lackingMinor(part) };
  const amount = amountToFire(property, booking, lacking, await readTotals(work), stepMinor);
  if (amount.kind !== 'take') return amount;
  const moment = { atMs: work.now(), stepMinor };
  return amountOnCard(
    card,
    { currency, limitToDue: true, planId: plan.id },
    amount.requestedMinor,
    property,
    moment,
  );
}
