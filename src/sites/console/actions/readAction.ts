import { err, ok, type Result } from '../../../core/result.ts';
import { DAY_MS, localInstant, offsetTimestamp, yearsAfterMs } from '../../../core/time.ts';
import { typedAmount } from '../../../core/typedAmount.ts';
import type { ChosenTime, DeskAction } from '../../../desk/actions.ts';
import { amountCopy, words } from '../../../desk/words.ts';
import { ACQUIRER_ID } from '../../../gateways/acquirerId.ts';
import { description, gatewayId } from '../../../http/fields.ts';
import { LONGEST_HOLD_DAYS, LONGEST_SCHEDULE_YEARS } from '../../../money/payments/rules.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { transactions } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { Form } from '../../web/forms.tsx';
import { repeatable } from '../../web/repeatable.ts';

/** What is wrong with what was typed, by the name of the field; `form` for the form as a whole. */
export type FormIssues = Readonly<Record<string, string>>;

export function readAction(form: Form, property: PropertyRow): Result<DeskAction, FormIssues> {
  const action = form['do'];
  switch (action) {
    case 'charge':
      return payment(form, property, ({ ...fields }) => ok({ do: action, ...fields }));
    case 'schedule':
    case 'hold':
      return payment(form, property, (fields) => {
        const time = timeIn(form, property, action);
        return time.ok ? ok({ do: action, ...fields, time: time.value }) : time;
      });
    case 'capture':
    case 'refund':
      return follow(form, property, action);
    case 'release':
    case 'cancelSchedule': {
      const chargeId = chargeIdIn(form);
      return chargeId === null ? unreadable() : ok({ do: action, chargeId });
    }
    case 'cancelBooking':
      return cancelling(form, property);
    case 'resolve':
      return resolution(form);
    case 'putPlan': {
      const { template } = form;
      const isTheirs = property.planTemplates.some(({ key }) => key === template);
      return template && isTheirs ? ok({ do: action, template }) : err({ template: copy.template });
    }
    case 'cancelPlan':
    case 'cancelSchedules':
    case 'requestCard':
    case 'makeLink':
    case 'mailLink':
      return ok({ do: action });
    default:
      return unreadable();
  }
}

const { issues: copy } = words.actions;

function unreadable(): Result<never, FormIssues> {
  return err({ form: copy.form });
}

type PaymentFields = Omit<Extract<DeskAction, { readonly do: 'charge' }>, 'do'>;

function payment(
  form: Form,
  property: PropertyRow,
  make: (fields: PaymentFields) => Result<DeskAction, FormIssues>,
): Result<DeskAction, FormIssues> {
  const amount = amountIn(form, property);
  const text = descriptionIn(form);
  const purpose = transactions.purpose.enumValues.find((one) => one === form['purpose']);
  const issues = {
    ...(!amount.ok && amount.error),
    ...(text === undefined && { description: copy.description }),
    ...(purpose === undefined && { purpose: copy.purpose }),
  };
  if (!amount.ok || text === undefined || purpose === undefined) return err(issues);
  const initiator = form['initiator'] === 'phone' ? 'phone' : 'property';
  const cardToken = form['card'] || null;
  return make({ amountMinor: amount.value, purpose, description: text, cardToken, initiator });
}

/** Why a booking is cancelled, and what is kept if not what the policy says. */
function cancelling(form: Form, property: PropertyRow): Result<DeskAction, FormIssues> {
  const reason = REASONS.find((one) => one === form['reason']);
  if (reason === undefined) return err({ reason: copy.cancelReason });
  if ((form['amount'] ?? '').trim() === '') return ok({ do: 'cancelBooking', reason, keep: null });
  const amount = typedAmount(repeatable(form['amount'] ?? ''), property.currency);
  if (!amount.ok) return err({ amount: amountCopy(amount.error, property.currency, copy.amount) });
  const why = descriptionIn({ description: form['why'] ?? '' });
  if (!why) return err({ why: copy.reason });
  return ok({ do: 'cancelBooking', reason, keep: { amountMinor: amount.value, why } });
}

const REASONS = ['guest', 'property', 'noShow'] as const;

/** How a payment without an answer is to end, and why. */
function resolution(form: Form): Result<DeskAction, FormIssues> {
  const id = chargeIdIn(form);
  const outcome = OUTCOMES.find((one) => one === form['outcome']);
  const reason = descriptionIn({ description: form['reason'] ?? '' });
  const typed = (form['gatewayReference'] ?? '').trim();
  const named = typed === '' ? null : gatewayId.regex(ACQUIRER_ID).safeParse(typed).data;
  if (id === null) return unreadable();
  if (outcome === undefined) return err({ outcome: copy.outcome });
  if (!reason) return err({ reason: copy.reason });
  if (named === undefined) return err({ gatewayReference: copy.gatewayReference });
  return ok({ do: 'resolve', id, outcome, gatewayReference: named, reason });
}

const OUTCOMES = ['Accepted', 'Declined', 'Failed'] as const;

function follow(
  form: Form,
  property: PropertyRow,
  action: 'capture' | 'refund',
): Result<DeskAction, FormIssues> {
  const chargeId = chargeIdIn(form);
  const text = descriptionIn(form);
  if (chargeId === null) return unreadable();
  if (action === 'capture' && (form['amount'] ?? '').trim() === '') {
    return ok({ do: action, chargeId, amountMinor: null });
  }
  const amount = amountIn(form, property);
  if (!amount.ok) return amount;
  if (text === undefined) return err({ description: copy.description });
  const amountMinor = amount.value;
  return action === 'capture'
    ? ok({ do: action, chargeId, amountMinor })
    : ok({ do: action, chargeId, amountMinor, description: text, waive: form['waive'] === '1' });
}

function chargeIdIn({ chargeId = '' }: Form): number | null {
  return /^[1-9]\d{0,15}$/.test(chargeId) ? Number(chargeId) : null;
}

/** An amount above 0, as the guest's page reads it. */
function amountIn({ amount = '' }: Form, { currency }: PropertyRow): Result<number, FormIssues> {
  const typed = typedAmount(repeatable(amount), currency);
  if (typed.ok) return typed.value > 0 ? typed : err({ amount: copy.amount });
  return err({ amount: amountCopy(typed.error, currency, copy.amount) });
}

/** Null for an empty text, undefined for one that is not acceptable. */
function descriptionIn(form: Form): string | null | undefined {
  const typed = (form['description'] ?? '').trim();
  if (typed === '') return null;
  return description.safeParse(typed).data;
}

/** A time to come, in the property's zone and within the limit of the action. */
function timeIn(
  { time = '' }: Form,
  property: PropertyRow,
  action: 'schedule' | 'hold',
): Result<ChosenTime, FormIssues> {
  const nowMs = propertyNow(property);
  const latestMs =
    action === 'hold'
      ? nowMs + LONGEST_HOLD_DAYS * DAY_MS
      : yearsAfterMs(nowMs, LONGEST_SCHEDULE_YEARS);
  const atMs = localInstant(time, property.timeZone);
  if (atMs === null) return err({ time: copy.time });
  if (atMs <= nowMs) return err({ time: copy.past });
  if (atMs > latestMs) {
    return err({
      time:
        action === 'hold'
          ? copy.holdTooLong({ days: String(LONGEST_HOLD_DAYS) })
          : copy.scheduleTooFar({ years: String(LONGEST_SCHEDULE_YEARS) }),
    });
  }
  return ok({ text: offsetTimestamp(atMs, property.timeZone), atMs });
}
