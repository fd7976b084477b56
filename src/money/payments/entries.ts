import {
  type DraftedEvent,
  draftEntry,
  type Shown,
  type Told,
  type Write,
} from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { hasUse } from '../../records/cards/store.ts';
import { eventCardView } from '../../records/cards/views.ts';
import type { EventType } from '../../records/history/rules/eventTypes.ts';
import { staleUnless } from '../../records/properties/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanPart, PlanRow } from '../../schema/planTables.ts';
import { listedView } from '../folio/listedView.ts';
import { type Changed, historyOf } from './rules/history.ts';
import type { TransactionChange } from './states.ts';
import { insertTransaction, updateTransaction } from './store.ts';

/** A change of a transaction, and what the history says of it. */
interface ChangeDetails extends Changed {
  /** The instant of the change, by the property's clock. */
  readonly atMs: number;
  readonly why?: string | undefined;
  /** The event, where the change itself does not say which it is. */
  readonly type?: EventType;
  /** Whether the audit trail leaves it out: no state changes. */
  readonly isQuiet?: boolean;
  readonly card?: CardRow | null;
}

/** What records a new transaction. */
export function insertWrite(work: BookingWork, told: Omit<ChangeDetails, 'before'>): Write {
  const state = insertTransaction(told.after);
  return { ...transactionEntry(work, { ...told, before: null }), state };
}

/** The same for a payment that is to be made: it may rest on what was left of its virtual card. */
export function intentWrites(
  work: BookingWork,
  told: Omit<ChangeDetails, 'before' | 'card'> & { readonly card: CardRow | null },
): Write[] {
  const { after, card } = told;
  return [insertWrite(work, told), ...(card === null ? [] : unlessUsed(work, after, card))];
}

/** Refuses a payment that rests on what was left of a virtual card, if that has changed: another booking may use it. */
export function unlessUsed(
  { propertyId }: BookingWork,
  { kind, status }: Pick<TransactionRow, 'kind' | 'status'>,
  card: CardRow,
): Statement[] {
  const isOnlyPlanned = kind === 'schedule' && status === 'Pending';
  const isLimited = card.virtual !== null && card.virtual.limitMinor !== null;
  return isLimited && !isOnlyPlanned ? [staleUnless(propertyId, hasUse(card))] : [];
}

function transactionEntry(work: BookingWork, told: ChangeDetails) {
  const { after, atMs, before, why } = told;
  const { event, ...changes } = historyOf(told);
  const type = told.type ?? event;
  const states = { from: before?.status ?? null, to: after.status };
  return draftEntry(
    work,
    atMs,
    { kind: 'charge', id: String(after.id) },
    {
      ...(told.isQuiet ? {} : states),
      detail: why,
      event: type && transactionEvent(type, told),
      charge: after,
      ...changes,
    },
  );
}

function transactionEvent(
  type: EventType,
  { after, before, card: given }: ChangeDetails,
): DraftedEvent {
  // What is left of a virtual card is known when the batch is.
  const own = given && given.token === after.cardToken ? given : null;
  const known = own?.virtual === null ? own : null;
  return {
    type,
    cardToken: known ? null : after.cardToken,
    // Only what was taken before can have been given back, or be disputed.
    refundsOf: before?.status === 'Accepted' ? after.id : null,
    snapshot: (shown) => ({
      transaction: shownTransaction(shown, after, known ?? shown.card(after.cardToken) ?? own),
    }),
  };
}

/** The event about a charge and a card, beside the charge as it is. */
export function chargeEvent(
  type: EventType,
  charge: TransactionRow,
  card: CardRow | null,
): DraftedEvent {
  return {
    type,
    cardToken: charge.cardToken,
    snapshot: (shown) => ({
      transaction: shownTransaction(shown, charge, shown.card(charge.cardToken)),
      chargeId: charge.id,
      ...(card && { card: shownCard(shown, charge.currency, card) }),
    }),
  };
}

/** The event about the card of a part of a plan that is not charged yet. */
export function partEvent(
  type: EventType,
  { id: planId, currency }: Pick<PlanRow, 'id' | 'currency'>,
  { id: partId }: Pick<PlanPart, 'id'>,
  card: CardRow | null,
): DraftedEvent {
  return {
    type,
    snapshot: (shown) => ({
      planId,
      partId,
      ...(card && { card: shownCard(shown, currency, card) }),
    }),
  };
}

function shownTransaction(shown: Shown, row: TransactionRow, card: CardRow | null) {
  const { timeZone } = shown.property;
  return listedView(row, card, shown.refundsOf(row.id), shown.disputeOf(row.id), timeZone);
}

/** The entry of a card, with the event that shows it; null for none. */
export function cardEntry(
  work: BookingWork,
  atMs: number,
  card: CardRow,
  type: EventType | null,
  told: Pick<Told, 'from' | 'to' | 'detail'>,
): Write {
  const event = type && {
    type,
    snapshot: (shown: Shown) => ({ card: shownCard(shown, shown.property.currency, card) }),
  };
  return draftEntry(work, atMs, { kind: 'card', id: card.token }, { ...told, event });
}

function shownCard({ property: { timeZone } }: Shown, currency: string, card: CardRow) {
  return eventCardView(card, { currency, timeZone });
}

/** How many transactions one batch changes: D1 limits the statements of an invocation. */
export const MOST_CHANGES = 100;

export function changeWrites(
  work: BookingWork,
  row: TransactionRow,
  change: TransactionChange,
  told: Pick<ChangeDetails, 'why' | 'type' | 'card' | 'isQuiet'> = {},
): Write[] {
  const atMs = work.now();
  const stamped = { ...change, changedAtMs: atMs };
  const after = changed(row, stamped);
  const state = updateTransaction(row, stamped);
  return [{ ...transactionEntry(work, { ...told, atMs, before: row, after }), state }];
}

/** Changes when a transaction is due, which nobody else sees, in a batch of its own. */
export async function postpone(
  { database }: BookingWork,
  row: TransactionRow,
  change: Pick<TransactionChange, 'dueAtMs' | 'rejections' | 'putOffUntilMs'>,
  ...further: Statement[]
): Promise<void> {
  const later = updateTransaction(row, change);
  await database.batch('d1.transaction.postpone', [later, ...further]);
}

/** The columns by which a row is known to be as an operation wrote it. */
const WRITTEN = [
  'version',
  'status',
  'pendingOperation',
  'gatewayKey',
  'askedAtMs',
  'completedAtMs',
  'unwantedSinceMs',
] as const satisfies readonly (keyof TransactionRow)[];

/** Whether D1's row is as a change wrote it, and not as another operation did meanwhile. */
export function isWritten(now: TransactionRow | null | undefined, after: TransactionRow): boolean {
  return WRITTEN.every((column) => now?.[column] === after[column]);
}

export function changed(row: TransactionRow, change: TransactionChange): TransactionRow {
  return { ...row, ...change, version: row.version + 1 };
}
