import { storedExponent, toMinor } from '../core/money.ts';
import { cardTokenNow, dueTimeOf } from '../money/payments/rules.ts';
import type { PlanPut } from '../money/plans/views.ts';
import { cardInUse } from '../records/bookings/rules.ts';
import { mailsOf } from '../records/mails/rules.ts';
import { plannedMinor } from '../records/plans/rules/follow.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type { DeskAction } from './actions.ts';
import type { BookingFile } from './bookingFile.ts';
import { cancelSentences } from './cancelSentences.ts';
import { money, zonedInstant } from './format.ts';
import { linkEndMs } from './links.ts';
import { partCopy } from './listSentences.ts';
import type { Preview } from './preview.ts';
import { cardCopy, guestOf, whatCopy, words } from './words.ts';

const { confirm: copy } = words;

type NewPayment = Extract<DeskAction, { readonly do: 'charge' | 'schedule' | 'hold' }>;
type Refund = Extract<DeskAction, { readonly do: 'refund' }>;

/** What an action will do, in sentences: the first says how much, on which card, of whom, what for and how it is authorised. */
export function sentencesOf(action: DeskAction, preview: Preview, file: BookingFile): string[] {
  const { booking, property } = file.state;
  const [row] = preview.about;
  const time = zonedInstant(linkEndMs(property), property.timeZone);
  switch (action.do) {
    case 'charge':
    case 'schedule':
    case 'hold':
      return newPayment(action, preview, file);
    case 'refund':
      return refund(action, row, file);
    case 'capture':
      return [captureCopy(preview, row, file)];
    case 'release':
    case 'cancelSchedule':
      return row && 'kind' in row ? [copy[action.do](moneyOf(row, file))] : [];
    case 'requestCard':
      return [copy.requestCard({ email: booking.email, time })];
    case 'makeLink':
    case 'mailLink': {
      const amount = money(file.balance.proposedMinor, booking.currency);
      return [copy[action.do]({ amount, email: booking.email, time })];
    }
    case 'cancelBooking':
      return preview.cancellation ? cancelSentences(preview.cancellation, file) : [];
    case 'resolve': {
      const outcome = copy.outcomes[action.outcome];
      return [copy.resolve({ outcome, reason: action.reason })];
    }
    case 'cancelSchedules':
      return [copy.cancelSchedules];
    case 'putPlan':
      return preview.plan ? planSentences(preview.plan, file) : [];
    case 'cancelPlan': {
      const amount = money(plannedMinor(file.plan), booking.currency);
      return [copy.cancelPlan({ amount })];
    }
  }
}

/** What a plan charges when, a sentence for each part to come. */
function planSentences(
  { plan }: Pick<PlanPut, 'plan'>,
  { plan: before, state }: BookingFile,
): string[] {
  const exponent = storedExponent(plan.currency);
  const amountOf = (decimal: number) => {
    const minor = toMinor(decimal, exponent, 0);
    return money(minor.ok ? minor.value : 0, plan.currency);
  };
  const toCome = plan.parts.filter(({ status }) => status === 'planned');
  const whole = { guest: guestOf(state.booking), reference: state.booking.reference };
  return [
    copy.putPlan({ ...whole, amount: amountOf(plan.open) }),
    ...toCome.map(({ amount, dueAt, label, paid, partId }) =>
      copy.planPart({
        label: partCopy(label, partId),
        amount: amountOf(amount - paid),
        time: zonedInstant(Date.parse(dueAt), state.property.timeZone),
      }),
    ),
    ...(before?.status === 'active' ? [copy.planReplaced] : []),
  ];
}

function newPayment(action: NewPayment, { quote }: Preview, file: BookingFile): string[] {
  const { booking, cards, property } = file.state;
  const named = cards.find(({ token }) => token === action.cardToken);
  const time = 'time' in action ? zonedInstant(action.time.atMs, property.timeZone) : '';
  const amountMinor = quote?.priced.amountMinor ?? action.amountMinor;
  const card = named ?? cardInUse(file.state);
  const sentence = copy[action.do]({
    amount: money(amountMinor, booking.currency),
    card: withExpiry(card),
    guest: holderOf(card, booking),
    reference: booking.reference,
    purpose: copy.purposes[action.purpose],
    order: copy.orders[action.initiator],
    time,
  });
  const isOpen = action.do === 'schedule' && action.cardToken === null;
  return [sentence, ...(isOpen ? [copy.anotherCard] : []), ...described(action.description)];
}

function refund(action: Refund, row: Preview['about'][number] | undefined, file: BookingFile) {
  if (!row || !('kind' in row)) return [];
  const { currency } = row;
  const amount = money(action.amountMinor, currency);
  const isMailed = mailsOf('refund.refunded', row, file.state.property).includes('refund');
  const leftMinor = row.amountMinor - row.refundReservedMinor - action.amountMinor;
  return [
    copy.refund({ ...moneyOf(row, file), amount }),
    ...(leftMinor > 0 ? [copy.left({ amount: money(leftMinor, currency) })] : []),
    ...(row.purpose === 'Bond' ? [] : [action.waive ? copy.waived : copy.dueAgain]),
    ...(isMailed ? [copy.mailed] : []),
    ...described(action.description),
  ];
}

function captureCopy(
  { capture }: Preview,
  row: Preview['about'][number] | undefined,
  file: BookingFile,
): string {
  if (!capture || !row || !('kind' in row)) return copy.capture;
  const whose = moneyOf(row, file);
  const { requestedMinor } = capture.priced;
  if (requestedMinor === row.requestedMinor) return copy.captureWhole(whose);
  return copy.capturePart({ ...whose, amount: money(requestedMinor, row.currency) });
}

/** What sentences say of a payment: how much, on which card, of whom, and when. */
function moneyOf(row: TransactionRow, { cards, state }: BookingFile) {
  const { booking, property } = state;
  const now = cardTokenNow(row, booking);
  const card = cards.find(({ token }) => token === now) ?? null;
  return {
    amount: money(row.amountMinor, row.currency),
    card: withExpiry(card),
    guest: holderOf(card, booking),
    reference: booking.reference,
    time: zonedInstant(dueTimeOf(row), property.timeZone),
  };
}

function described(description: string | null): string[] {
  return description === null ? [] : [copy.described({ description })];
}

/** Whose card it is: the guest's own, or an agency's for the guest. */
function holderOf(card: Pick<CardRow, 'virtual'> | null, booking: BookingRow): string {
  const guest = guestOf(booking);
  if (!card?.virtual) return guest;
  return copy.agencyFor({ agency: card.virtual.channel ?? copy.anAgency, guest });
}

/** A card as people compare it with the one in their hand: `Visa ···· 4242 (12/30)`. */
function withExpiry(card: BookingFile['cards'][number] | null): string {
  if (card === null) return cardCopy(null);
  const month = String(card.expiryMonth).padStart(2, '0');
  const year = String(card.expiryYear).slice(-2);
  return copy.withExpiry({ card: cardCopy(card).replace(/ (?=\d+$)/, ' ···· '), month, year });
}

/** A payment or refund that an action is about, in one line. */
export function describe(row: TransactionRow | RefundRow, file: BookingFile): string {
  const { timeZone } = file.state.property;
  const isPayment = 'kind' in row;
  const about = {
    kind: isPayment ? whatCopy(row) : words.kinds.refund,
    id: String(row.id),
    amount: money(row.amountMinor, row.currency),
  };
  if (isPayment && row.status === 'Pending')
    return copy.pendingRow({ ...about, ...moneyOf(row, file) });
  return copy.row({ ...about, time: zonedInstant(row.createdAtMs, timeZone) });
}
