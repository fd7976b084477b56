import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterRejectionMs } from '../../src/money/payments/retries.ts';
import { transactionRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1, 12);

const digits = fc.constantFrom(...Array.from('0123456789abcdef'));
const reference = fc.array(digits, { minLength: 32, maxLength: 32 }).map((all) => all.join(''));

it('comes back after as long as the acquirer asks at least, at a whole millisecond', () => {
  fc.assert(
    fc.property(
      reference,
      fc.nat(30),
      fc.integer({ min: 0, max: 60_000 }),
      (own, rejections, retryAfterMs) => {
        const row = transactionRow({
          kind: 'schedule',
          reference: own,
          scheduledAtMs: NOW_MS,
          attempts: 1,
          rejections,
        });
        const againAtMs = afterRejectionMs(row, retryAfterMs, NOW_MS) ?? Number.NaN;
        expect(againAtMs).toBeGreaterThanOrEqual(NOW_MS + retryAfterMs);
        expect(Number.isInteger(againAtMs)).toBe(true);
      },
    ),
  );
});
