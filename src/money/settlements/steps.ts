import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { SettlementStep, SettlementTerms } from '../../schema/settlementTables.ts';
import { type Attempt, intend } from '../payments/attempt.ts';
import { ownTransaction, paymentCommand } from '../payments/charge.ts';
import { intentWrites } from '../payments/entries.ts';
import type { DecidedCharge } from '../payments/rules/decideCharge.ts';
import type { Charges } from '../refunds/charges.ts';
import { type Reserved, reservation, reserved } from '../refunds/reserve.ts';
import type {
  CancellationFacts,
  CapturedHold,
  DecidedCancellation,
  GivenBack,
} from './rules/decideCancellation.ts';
import type { StepRows } from './rules/progress.ts';

/** The steps of a settlement before its batch is committed, each with its row. */
interface RecordedSteps {
  readonly terms: SettlementTerms;
  readonly steps: readonly SettlementStep[];
  readonly incoming: readonly Attempt[];
  readonly outgoing: readonly Reserved[];
  readonly charges: Pick<Charges, 'cardOf'>;
  readonly writes: readonly Write[];
  /** The rows of the steps, as the batch leaves them. */
  readonly rows: StepRows;
}

type Cancellation = DecidedCancellation & Pick<SettlementTerms, 'reason'>;

/**
 * Makes the rows of a settlement's steps: the intents of its captures and its charge, and its refunds with their amounts
 * reserved. `state` has the cancelled booking. While something comes in, no refund has a time: it waits for that.
 */
export async function recordSteps(
  work: BookingWork,
  state: BookingState,
  facts: CancellationFacts,
  decided: Cancellation,
): Promise<RecordedSteps> {
  const captures: Recorded[] = [];
  for (const captured of decided.captures) captures.push(await capture(work, state, captured));
  const charges = decided.charge ? [charge(work, state, decided.charge, decided)] : [];
  const incoming = [...captures, ...charges];
  const command = {
    commandReference: work.newReference(),
    description: DESCRIPTIONS[decided.reason],
    waive: false,
    caller: null,
  };
  const giveBack = ({ charge: row, withFeesMinor }: GivenBack): Reserved => {
    const part = { chargeId: row.id, amountMinor: withFeesMinor };
    const made = reserved(work, state, command, row, part);
    const waits = incoming.length > 0;
    return waits ? { ...made, refund: { ...made.refund, dueAtMs: null } } : made;
  };
  const refunds = decided.refunds.map((one) => ({ one, part: giveBack(one) }));
  const bonds = decided.bonds.map((one) => ({ one, part: giveBack(one) }));
  const outgoing = [...refunds, ...bonds].map(({ part }) => part);
  const changed = [...incoming.map(({ attempt }) => attempt.row), ...decided.releases];
  const untouched = facts.transactions.filter(({ id }) => !changed.some((one) => one.id === id));
  return {
    terms: termsOf(decided),
    steps: [
      ...captures.map(({ attempt, amountMinor }) => step('capture', attempt.row.id, amountMinor)),
      ...charges.map(({ attempt, amountMinor }) => step('charge', attempt.row.id, amountMinor)),
      ...refunds.map(({ one, part }) => stepBack('refund', one, part)),
      ...bonds.map(({ one, part }) => stepBack('bond', one, part)),
      ...decided.releases.map(({ id, requestedMinor }) => step('release', id, requestedMinor)),
    ],
    incoming: incoming.map(({ attempt }) => attempt),
    outgoing,
    charges: { cardOf: (chargeId) => cardOf(facts, chargeId) },
    writes: [
      ...incoming.flatMap(({ writes }) => writes),
      ...outgoing.flatMap((part) => reservation(work, part)),
    ],
    rows: {
      transactions: [...untouched, ...changed],
      refunds: outgoing.map(({ refund }) => refund),
    },
  };
}

/** What a settlement's payments and refunds are described by, to the PMS and on receipts. */
const DESCRIPTIONS = {
  guest: 'Cancellation',
  property: 'Cancellation',
  noShow: 'No-show',
} as const satisfies Record<SettlementTerms['reason'], string>;

interface Recorded {
  readonly attempt: Attempt;
  /** Without fees. */
  readonly amountMinor: number;
  readonly writes: readonly Write[];
}

async function capture(
  work: BookingWork,
  state: BookingState,
  { card, hold, priced }: CapturedHold,
): Promise<Recorded> {
  const change = {
    captureRequestedMinor: priced.requestedMinor,
    captureAmountMinor: priced.amountMinor,
  };
  const next = { state, row: hold, card, pending: 'capture', change, caller: null } as const;
  const { after, writes } = await intend(work, next);
  const attempt = { state, row: after, card, recorded: 'committed' } as const;
  return { attempt, amountMinor: priced.requestedMinor, writes };
}

function charge(
  work: BookingWork,
  state: BookingState,
  decided: DecidedCharge,
  { reason }: Cancellation,
): Recorded {
  const { card } = decided;
  const { requestedMinor: amountMinor } = decided.priced;
  const body = { amount: amountMinor, description: DESCRIPTIONS[reason] };
  const command = {
    ...paymentCommand(body, 'charge', null, state.booking.currency, null),
    transactionReference: work.newReference(),
  };
  const row = ownTransaction(work, state, command, card, decided);
  return {
    attempt: { state, row, card, recorded: 'committed' },
    amountMinor,
    writes: intentWrites(work, { after: row, atMs: row.createdAtMs, card }),
  };
}

function termsOf(decided: Cancellation): SettlementTerms {
  const { keepMinor, paidMinor, reason, rule, uncollectableMinor, unrefundableMinor } = decided;
  return { reason, rule, keepMinor, paidMinor, uncollectableMinor, unrefundableMinor };
}

function step(what: SettlementStep['what'], chargeId: number, amountMinor: number): SettlementStep {
  return { what, chargeId, refundId: null, amountMinor, shownMinor: amountMinor };
}

function stepBack(
  what: 'refund' | 'bond',
  { amountMinor, charge: { id: chargeId }, withFeesMinor: shownMinor }: GivenBack,
  { refund }: Reserved,
): SettlementStep {
  return { what, chargeId, refundId: refund.id, amountMinor, shownMinor };
}

function cardOf({ cardOf: byToken, transactions }: CancellationFacts, chargeId: number) {
  const row = transactions.find(({ id }) => id === chargeId);
  const card = byToken(row?.cardToken ?? null);
  if (!card) throw new Error('a charge has no card');
  return card;
}
