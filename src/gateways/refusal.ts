import type { Refusal } from './gateway.ts';

/** Why a vault did not take a card, in the acquirer's own words as far as it gave any. */
export function refusal(reason: string, said: Partial<Omit<Refusal, 'reason'>> = {}): Refusal {
  return { reason, message: null, parameter: null, requestId: null, ...said };
}
