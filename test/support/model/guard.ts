import { balanceOf, lesserOf, openMinor } from './balance.ts';
import type { BookingModel, Payment, PaymentKind, Purpose } from './state.ts';

/** A payment that is asked for, before its amount is judged. */
export interface Asked {
  readonly kind: PaymentKind;
  readonly purpose: Purpose;
  readonly requestedMinor: number;
  readonly limitToDue: boolean;
}

/** What a payment may take, and what its caller is warned of; null for nothing of it. */
export type Judged = { readonly requestedMinor: number; readonly warnings: string[] } | null;

/** Judges a new payment by what is due (interface: The guard). */
export function judgeNew(model: BookingModel, asked: Asked, instead?: StaysScheduled): Judged {
  const judged = judgeAmount(model, asked);
  if (judged === null) return null;
  const { requestedMinor, warnings } = judged;
  const told = warnsOfScheduled(model, { ...asked, requestedMinor }, instead);
  return { requestedMinor, warnings: [...warnings, ...told] };
}

function judgeAmount(model: BookingModel, asked: Asked): Judged {
  const { kind, limitToDue, requestedMinor } = asked;
  const dueMinor = openMinor(model, totalFor(model, asked));
  // What a schedule takes is limited when it fires.
  if (dueMinor === null || (limitToDue && kind === 'schedule')) {
    return { requestedMinor, warnings: [] };
  }
  if (!limitToDue) return judge(model, asked.purpose, requestedMinor, dueMinor);
  return dueMinor === 0
    ? null
    : { requestedMinor: Math.min(requestedMinor, dueMinor), warnings: [] };
}

function judge(
  { terms }: BookingModel,
  purpose: Purpose,
  requestedMinor: number,
  dueMinor: number,
): Judged {
  const exceeds = isGuarded(terms.guard, purpose) && requestedMinor > dueMinor;
  if (exceeds && terms.guard === 'refuse') return null;
  return { requestedMinor, warnings: exceeds ? ['exceeds_due'] : [] };
}

/** A total of 0 is not known; what takes what is due, at most, goes by the last that was. */
function totalFor(
  { knownTotalMinor, totalMinor }: BookingModel,
  { limitToDue }: { readonly limitToDue: boolean },
): number {
  return totalMinor === 0 && limitToDue ? knownTotalMinor : totalMinor;
}

/** What of the schedules stays beside a new payment. */
interface StaysScheduled {
  readonly scheduledMinor: number;
}

/** Warns where what stays scheduled exceeds what is then due. */
function warnsOfScheduled(
  model: BookingModel,
  { kind, purpose, requestedMinor }: Asked,
  instead: StaysScheduled = balanceOf(model),
): string[] {
  if (model.terms.guard === 'off' || model.totalMinor === 0) return [];
  const brings = kind !== 'authorization' && purpose !== 'Bond';
  const dueMinor = Math.max(0, balanceOf(model).dueMinor - (brings ? requestedMinor : 0));
  return instead.scheduledMinor > dueMinor ? ['scheduled_exceeds_due'] : [];
}

/** Whether the property's guard judges payments of this purpose. */
function isGuarded(guard: BookingModel['terms']['guard'], purpose: Purpose): boolean {
  return guard !== 'off' && (purpose === 'Deposit' || purpose === 'Balance');
}

/** What a capture takes: a guard that refuses lets it take the lesser, and nothing where nothing is due. */
export function judgeCapture(model: BookingModel, hold: Payment, requestedMinor: number): Judged {
  const dueMinor = openMinor(model);
  if (dueMinor === null) return { requestedMinor, warnings: [] };
  const judged = judge(model, hold.purpose, requestedMinor, dueMinor);
  if (judged !== null || dueMinor === 0) return judged;
  return { requestedMinor: dueMinor, warnings: [] };
}

/** What a schedule takes at its time, without fees; or why it takes nothing yet, or ever. */
export function judgeFiring(
  model: BookingModel,
  payment: Payment,
): number | 'nothing due' | 'put off' | 'wait' {
  const { guard } = model.terms;
  const { askedMinor, limitToDue, purpose, putOffUntilMs, requestedMinor } = payment;
  const total = totalFor(model, payment);
  if (total === 0 || !(limitToDue || isGuarded(guard, purpose))) return requestedMinor;
  if (limitToDue || guard === 'refuse') {
    const lesser = lesserOf(model, askedMinor ?? requestedMinor, total);
    return lesser === 0 ? 'nothing due' : lesser;
  }
  if (putOffUntilMs !== null) return requestedMinor;
  const anything = lesserOf(model, 1, total);
  if (anything === 'wait') return 'wait';
  return anything === 0 ? 'put off' : requestedMinor;
}
