import type { Balance } from '../../balance/rules/balance.ts';
import type { AskedFor } from '../../recovery/guestView.ts';

/** An amount that the page offers, in minor units without fees (interface: What the page proposes). */
export interface PaymentChoice {
  /**
   * `asked`: the amount that the guest was asked to pay because a card fails; `rest`: all that is due and not scheduled; `all`: that and
   * what is scheduled.
   */
  readonly name: 'asked' | 'rest' | 'deposit' | 'all';
  readonly amountMinor: number;
}

/** The amounts that the page offers; it proposes the first. Of what is scheduled, it proposes only what is asked for. */
export function paymentChoices(
  balance: Balance,
  firstNightCostMinor: number,
  asked: AskedFor,
): PaymentChoice[] {
  const { payableMinor, proposedMinor } = balance;
  const askedMinor = Math.min(asked.amountMinor, payableMinor);
  // An amount that was declined and asked for is due already, and not scheduled.
  const isRest = askedMinor === proposedMinor && asked.schedules.length === 0;
  const depositMinor = depositOffered(balance, firstNightCostMinor);
  const choices: PaymentChoice[] = [
    { name: 'asked', amountMinor: askedMinor },
    { name: 'rest', amountMinor: isRest ? 0 : proposedMinor },
    { name: 'deposit', amountMinor: depositMinor ?? 0 },
    {
      name: 'all',
      amountMinor: payableMinor > Math.max(proposedMinor, askedMinor) ? payableMinor : 0,
    },
  ];
  return choices.filter(({ amountMinor }) => amountMinor > 0);
}

/** The deposit that the page offers, in minor units without fees; null if it offers none. */
export function depositOffered(balance: Balance, firstNightCostMinor: number): number | null {
  const { disputedMinor, paidMinor, proposedMinor, scheduledMinor, uncertainMinor } = balance;
  const towardsMinor = paidMinor + uncertainMinor + disputedMinor + scheduledMinor;
  const depositMinor = firstNightCostMinor - towardsMinor;
  return depositMinor > 0 && depositMinor < proposedMinor ? depositMinor : null;
}
