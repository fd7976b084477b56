import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { endOfFormerCard, fire } from '../../src/money/payments/rules/firing.ts';
import { bookedRow, cardRow, propertyRow, transactionRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1);

const card = cardRow('visa-card', { gatewayAccount: 'acct_old' });
const booking = bookedRow({ cardToken: 'visa-card' });
const row = transactionRow({
  kind: 'schedule',
  status: 'Pending',
  attempts: 0,
  scheduledAtMs: NOW_MS,
});

describe('a schedule on a card of a former account', () => {
  const stateAt = (merchantAccount: string) => {
    return { property: propertyRow({ merchantAccount }), booking, cards: [card] };
  };

  it('waits for another card', () => {
    expect(fire(stateAt('acct_new'), row, null, NOW_MS)).toEqual({ kind: 'former', card });
    expect(fire(stateAt('acct_old'), row, null, NOW_MS)).toEqual({ kind: 'charge', card });
  });

  it('fails where nobody gives one', () => {
    expect(endOfFormerCard(NOW_MS)).toMatchObject({
      kind: 'end',
      change: { status: 'Failed', dueAtMs: null, completedAtMs: NOW_MS, learntAtMs: NOW_MS },
      why: 'card of a former account',
    });
  });

  it('fails, whatever its card, when it is overdue by more than 72 hours', () => {
    expect(fire(stateAt('acct_new'), row, null, NOW_MS + 72 * HOUR_MS + 1)).toMatchObject({
      change: { status: 'Failed' },
      why: 'overdue by more than 72 hours',
    });
  });
});
