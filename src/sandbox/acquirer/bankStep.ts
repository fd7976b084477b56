import { type AcquirerOperation, movedBy } from './operations.ts';
import type { Judgement } from './rules/judge.ts';

/** The path of the pages at the sandbox's bank. */
export const BANK_PATH = '/bank/v1';

/** What the bank's page shows of a payment. */
export interface BankStepShown {
  readonly propertyId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** `ended`: it was canceled, or the cardholder refused it. */
  readonly status: 'open' | 'allowed' | 'ended';
  /** Where the cardholder goes back to. */
  readonly returnUrl: string;
}

/** A payment as the bank's page shows it; null for one that no bank asked about. */
export function shownAtBank(payment: AcquirerOperation): BankStepShown | null {
  const { amountMinor, bankStep, currency, propertyId } = payment;
  if (bankStep === undefined) return null;
  const { returnUrl } = bankStep;
  return { propertyId, amountMinor, currency, status: shownStatus(payment), returnUrl };
}

function shownStatus({ status }: AcquirerOperation): BankStepShown['status'] {
  if (status === 'pending') return 'open';
  return status === 'succeeded' ? 'allowed' : 'ended';
}

/** Where the cardholder confirms a payment: a page of the deployment that they came from. */
export function bankUrlOf({ bankStep }: AcquirerOperation): string | null {
  return bankStep ? new URL(`${BANK_PATH}/${bankStep.id}`, bankStep.returnUrl).href : null;
}

/** An open payment as it ends; null if it has ended before. */
export function endOpen(
  payment: AcquirerOperation,
  judgement: Judgement,
  atMs: number,
): AcquirerOperation | null {
  if (payment.status !== 'pending') return null;
  const isTaken = judgement.status === 'succeeded';
  const movedMinor = isTaken ? movedBy(payment.kind, payment.amountMinor) : 0;
  return { ...payment, ...judgement, movedMinor, atMs };
}
