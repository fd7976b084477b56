import { type Failure, failure } from '../core/failure.ts';
import { money } from '../core/format.ts';
import { ok, type Result } from '../core/result.ts';
import { HOUR_MS } from '../core/time.ts';
import { selectGateway } from '../gateways/select.ts';
import { type QuoteWithId, readQuote } from '../money/payments/readQuote.ts';
import { selectTransactions } from '../money/payments/store.ts';
import { selectRefunds } from '../money/refunds/store.ts';
import type { RefundRow, TransactionRow } from '../platform/db/moneyTables.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { type DeskAction, kindOf, mayAct } from './actions.ts';
import type { DeskWork } from './perform.ts';

/** What an action will do. `quote` is set for payments: the code that makes them says what they come to. */
export interface Preview {
  readonly quote: QuoteWithId | null;
  /** The payments and refunds that it is about. */
  readonly about: readonly (TransactionRow | RefundRow)[];
  /** Why it would be refused; empty if it would not. */
  readonly refusals: readonly Failure[];
}

type NewPayment = Extract<DeskAction, { readonly do: 'charge' | 'schedule' | 'hold' }>;
type FollowUp = Exclude<DeskAction, NewPayment>;

/** Says what an action would do, without doing it. Fails where its fields are at fault, or the person may not do it. */
export async function previewOf(
  work: DeskWork,
  action: DeskAction,
): Promise<Result<Preview, Failure>> {
  const may = mayAct(work.person, work.property, action);
  if (!may.ok) return may;
  const isNew = action.do === 'charge' || action.do === 'schedule' || action.do === 'hold';
  return isNew ? quoteFor(work, action) : ok(await followUpOf(work, action));
}

async function quoteFor(work: DeskWork, action: NewPayment): Promise<Result<Preview, Failure>> {
  const { config, database, env, keyring, property, reference } = work;
  const nowMs = propertyNow(property);
  const quoted = await readQuote(
    {
      database,
      keyring,
      name: { propertyId: property.id, reference },
      nowMs,
      stepMinor: selectGateway(config, env).amountStepMinor(property.currency),
    },
    {
      kind: kindOf[action.do],
      atMs: action.do === 'schedule' ? action.time.atMs : nowMs,
      currency: property.currency,
      requestedMinor: action.amountMinor,
      virtualCard: false,
      description: action.description,
      purpose: action.purpose,
      cardToken: action.cardToken,
      described: {},
    },
  );
  return quoted.ok
    ? ok({ quote: quoted.value, about: [], refusals: quoted.value.refusals })
    : quoted;
}

/** What an action on earlier payments is about. One round trip, and none for one that is about no payment. */
async function followUpOf(work: DeskWork, action: FollowUp): Promise<Preview> {
  if (action.do === 'requestCard' || action.do === 'makeLink') {
    return { quote: null, about: [], refusals: [] };
  }
  const { database, property, reference } = work;
  const { queries } = database;
  const [transactions, refunds] = await database.batch('d1.transactions.read', [
    selectTransactions(queries, property.id, reference),
    selectRefunds(queries, property.id, reference),
  ]);
  if (action.do === 'cancelSchedules') {
    const about = transactions.filter(({ status }) => status === 'Pending');
    return { quote: null, about, refusals: about.length > 0 ? [] : [wrong(NOTHING_SCHEDULED)] };
  }
  if (action.do === 'resolve') {
    const row = [...transactions, ...refunds].find(({ id }) => id === action.id);
    return previewFor(row, row && whyNotResolved(row, propertyNow(property)));
  }
  const row = transactions.find(({ id }) => id === action.chargeId);
  return previewFor(row, row && whyNot(row, action));
}

function previewFor(
  row: TransactionRow | RefundRow | undefined,
  why: string | null | undefined,
): Preview {
  if (!row) return { quote: null, about: [], refusals: [wrong(NOT_FOUND)] };
  return { quote: null, about: [row], refusals: why ? [wrong(why)] : [] };
}

const NOTHING_SCHEDULED = 'Nothing is scheduled.';
const NOT_FOUND = 'The booking has no such payment.';

function wrong(detail: string): Failure {
  return failure('invalid_state', detail);
}

/** Why a payment's state or amount rules the action out; null if it does not. The operation itself judges again. */
function whyNot(
  row: TransactionRow,
  action: Exclude<
    FollowUp,
    { readonly do: 'requestCard' | 'makeLink' | 'cancelSchedules' | 'resolve' }
  >,
): string | null {
  const { amountMinor, currency, refundReservedMinor, status } = row;
  switch (action.do) {
    case 'refund': {
      const leftMinor = amountMinor - refundReservedMinor;
      if (status !== 'Accepted') return `The payment is ${status}: there is nothing to refund.`;
      return action.amountMinor <= leftMinor
        ? null
        : `${money(leftMinor, currency)} of this payment can still be refunded.`;
    }
    case 'capture':
    case 'release':
      return status === 'Authorized' ? null : `The payment is ${status}: nothing is held.`;
    case 'cancelSchedule':
      return status === 'Pending'
        ? null
        : `The payment is ${status}: it is not scheduled any more.`;
  }
}

function whyNotResolved(row: TransactionRow | RefundRow, nowMs: number): string | null {
  if (row.status !== 'Processing') return `It is ${row.status}: its outcome is known.`;
  const sentAtMs = row.sentAtMs ?? ('askedAtMs' in row ? row.askedAtMs : null) ?? row.createdAtMs;
  return nowMs - sentAtMs < HOUR_MS
    ? 'It was sent less than an hour ago and may still be under way.'
    : null;
}
