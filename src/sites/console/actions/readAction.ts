import { exponentOf, toMinor } from '../../../core/money.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import { DAY_MS, localInstant, offsetTimestamp, yearsAfterMs } from '../../../core/time.ts';
import type { ChosenTime, DeskAction } from '../../../desk/actions.ts';
import { ACQUIRER_ID } from '../../../gateways/acquirerId.ts';
import { description, gatewayId } from '../../../http/fields.ts';
import { LONGEST_HOLD_DAYS, LONGEST_SCHEDULE_YEARS } from '../../../money/payments/rules.ts';
import { transactions } from '../../../platform/db/moneyTables.ts';
import type { PropertyRow } from '../../../platform/db/propertyTables.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import type { Form } from '../../web/forms.ts';

/** What is wrong with what was typed, by the name of the field; `form` for the form as a whole. */
export type FormIssues = Readonly<Record<string, string>>;

/** Reads what a person asks for from a form. */
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
      return chargeId === null ? err(UNREADABLE) : ok({ do: action, chargeId });
    }
    case 'resolve':
      return resolution(form);
    case 'cancelSchedules':
    case 'requestCard':
    case 'makeLink':
      return ok({ do: action });
    default:
      return err(UNREADABLE);
  }
}

const UNREADABLE: FormIssues = { form: 'This form is not complete. Please begin again.' };

/** What all payments have in common. */
type PaymentFields = Omit<Extract<DeskAction, { readonly do: 'charge' }>, 'do'>;

function payment(
  form: Form,
  property: PropertyRow,
  make: (fields: PaymentFields) => Result<DeskAction, FormIssues>,
): Result<DeskAction, FormIssues> {
  const amountMinor = amountIn(form, property);
  const text = descriptionIn(form);
  const purpose = transactions.purpose.enumValues.find((one) => one === form['purpose']);
  const issues = {
    ...(amountMinor === null && { amount: AMOUNT }),
    ...(text === undefined && { description: DESCRIPTION }),
    ...(purpose === undefined && { purpose: 'Choose what the payment is for.' }),
  };
  if (amountMinor === null || text === undefined || purpose === undefined) return err(issues);
  const initiator = form['initiator'] === 'phone' ? 'phone' : 'property';
  const cardToken = form['card'] || null;
  return make({ amountMinor, purpose, description: text, cardToken, initiator });
}

/** How a payment without an answer is to end, and why. */
function resolution(form: Form): Result<DeskAction, FormIssues> {
  const id = chargeIdIn(form);
  const outcome = OUTCOMES.find((one) => one === form['outcome']);
  const reason = descriptionIn({ description: form['reason'] ?? '' });
  const typed = (form['gatewayReference'] ?? '').trim();
  const named = typed === '' ? null : gatewayId.regex(ACQUIRER_ID).safeParse(typed).data;
  if (id === null) return err(UNREADABLE);
  if (outcome === undefined) return err({ outcome: 'Choose what happened.' });
  if (!reason) return err({ reason: `Write why, for those who look later. ${DESCRIPTION}` });
  if (named === undefined) return err({ gatewayReference: 'This is no id of the acquirer.' });
  return ok({ do: 'resolve', id, outcome, gatewayReference: named, reason });
}

const OUTCOMES = ['Accepted', 'Declined', 'Failed'] as const;

function follow(
  form: Form,
  property: PropertyRow,
  action: 'capture' | 'refund',
): Result<DeskAction, FormIssues> {
  const chargeId = chargeIdIn(form);
  const isEmpty = (form['amount'] ?? '').trim() === '';
  const amountMinor = isEmpty ? null : amountIn(form, property);
  const text = descriptionIn(form);
  if (chargeId === null) return err(UNREADABLE);
  if (amountMinor === null && !(isEmpty && action === 'capture')) return err({ amount: AMOUNT });
  if (text === undefined) return err({ description: DESCRIPTION });
  return action === 'capture' || amountMinor === null
    ? ok({ do: 'capture', chargeId, amountMinor })
    : ok({ do: 'refund', chargeId, amountMinor, description: text });
}

const AMOUNT = 'Enter an amount, such as 150.00.';
const DESCRIPTION = 'Use at most 500 characters, and no card number.';

function chargeIdIn({ chargeId = '' }: Form): number | null {
  return /^[1-9]\d{0,15}$/.test(chargeId) ? Number(chargeId) : null;
}

/** An amount with a point or a comma before its decimals. */
function amountIn({ amount = '' }: Form, { currency }: PropertyRow): number | null {
  const typed = amount.trim();
  if (!/^\d{1,12}(?:[.,]\d{1,6})?$/.test(typed)) return null;
  const minor = toMinor(typed.replace(',', '.'), exponentOf(currency) ?? 2, 1);
  return minor.ok ? minor.value : null;
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
  if (atMs === null) return err({ time: 'Choose a day and a time.' });
  if (atMs <= nowMs) return err({ time: 'Choose a time to come.' });
  if (atMs > latestMs) {
    const limit =
      action === 'hold' ? `${LONGEST_HOLD_DAYS} days` : `${LONGEST_SCHEDULE_YEARS} years`;
    return err({ time: `Choose a time within ${limit}.` });
  }
  return ok({ text: offsetTimestamp(atMs, property.timeZone), atMs });
}
