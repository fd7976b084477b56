/** A refund that the acquirer rejects, because its desk has refunded the charge: its record counts, and the answer goes by it. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { type Desk, newestPaid, sandboxDesk, stripeDesk } from '../support/acquirerDesk.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import { call, callAsAdmin, makeBooking, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { faultKinds, withFault } from '../support/faults.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const REFUND = '/refund/v1/create';

const desks: Readonly<Record<string, () => Desk>> = {
  sandbox: () => sandboxDesk,
  stripe: () => stripeDesk(selectStripe()),
};

/** Charges of 100.00 and more, and the acquirer's ids of their payments. */
async function charged(reference: string, ...amounts: number[]) {
  await makeBooking(reference, GOOD);
  const paid = [];
  for (const amount of amounts) {
    await call(CREATE, { reference, amount });
    paid.push(await newestPaid(reference));
  }
  return paid;
}

/** Whether journal, PMS and acquirer disagree. That one refund failed here is the difference of the lists that is meant. */
async function moneyDiffers(reference: string): Promise<string[]> {
  const found = await disagreementsInAll(reference);
  return found.filter((difference) => !difference.startsWith('refunds: Failed'));
}

/** The option that sends an idempotency key. */
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** The refunds of each of a booking's charges. */
async function refundsOf(reference: string): Promise<unknown> {
  const charges = await transactionsOf(reference);
  return charges.map(({ refunds }) =>
    refunds.map(({ amount, origin, status }) => [status, amount, origin ?? 'service']),
  );
}

describe.each(Object.keys(desks))('a charge that its desk has refunded: %s', (name) => {
  let desk: Desk;
  const named = (reference: string) => `${name}-${reference}`;

  beforeEach(() => {
    desk = desks[name]?.() ?? sandboxDesk;
  });

  it('has nothing left, named or not', async () => {
    const reference = named('ALL');
    const [charge] = await charged(reference, 100);
    await desk.refund(charge?.payment ?? '');
    const body = { reference, amount: 30, chargeId: charge?.id };
    const first = await call(REFUND, body, keyed(reference));
    expect([first.status, first.json.code]).toEqual([422, 'refund_exceeds_charge']);
    expect(await refundsOf(reference)).toEqual([
      [
        ['Failed', 30, 'service'],
        ['Refunded', 103.09, 'gateway'],
      ],
    ]);
    const again = await call(REFUND, body, keyed(reference));
    expect([again.status, again.json.code]).toEqual([422, 'refund_exceeds_charge']);
    const unnamed = await call(REFUND, { reference, amount: 30 });
    expect([unnamed.status, unnamed.json.code]).toEqual([422, 'refund_exceeds_charge']);
    expect((await transactionsOf(reference))[0]?.refunds).toHaveLength(2);
    expect(await moneyDiffers(reference)).toEqual([]);
  });

  it.each(faultKinds)(
    'gives nothing back to a repeated request, if keeping its answer meets: %s',
    async (kind) => {
      const reference = named(`KEEP ${kind}`);
      const [charge] = await charged(reference, 100);
      await desk.refund(charge?.payment ?? '');
      const body = { reference, amount: 30, chargeId: charge?.id };
      const send = () => call(REFUND, body, keyed(reference));
      await withFault({ boundary: 'd1.answer.keep', nth: 0 }, kind, send).catch(() => undefined);
      const { json } = await send();
      expect([json.success, json['refunds']]).toEqual([false, []]);
      expect((await transactionsOf(reference))[0]?.refunds).toHaveLength(2);
      expect(await moneyDiffers(reference)).toEqual([]);
    },
  );

  it('gives back what is left of it, and no more', async () => {
    const reference = named('PART');
    const [charge] = await charged(reference, 100);
    await desk.refund(charge?.payment ?? '', 5_000);
    const tooMuch = await call(REFUND, { reference, amount: 80 });
    expect([tooMuch.status, tooMuch.json.code]).toEqual([422, 'refund_exceeds_charge']);
    expect((await call(REFUND, { reference, amount: 53.09 })).status).toBe(200);
    expect(await refundsOf(reference)).toEqual([
      [
        ['Failed', 80, 'service'],
        ['Refunded', 50, 'gateway'],
        ['Refunded', 53.09, 'service'],
      ],
    ]);
  });

  it('is decided again with the other charges', async () => {
    const reference = named('OTHER');
    const [large, small] = await charged(reference, 100, 50);
    await desk.refund(large?.payment ?? '', 5_000);
    const unnamed = await call(REFUND, { reference, amount: 90 }, keyed(reference));
    expect([unnamed.status, unnamed.json.refunds.map(({ amount }) => amount)]).toEqual([
      200,
      [53.09, 36.91],
    ]);
    expect(small?.booking).toBe(reference);
    expect(await refundsOf(reference)).toEqual([
      [
        ['Failed', 90, 'service'],
        ['Refunded', 50, 'gateway'],
        ['Refunded', 53.09, 'service'],
      ],
      [['Refunded', 36.91, 'service']],
    ]);
    expect(await moneyDiffers(reference)).toEqual([]);
  });

  it('is told to the audit trail as the gateway’s', async () => {
    const reference = named('AUDIT');
    const [charge] = await charged(reference, 100);
    await desk.refund(charge?.payment ?? '');
    await call(REFUND, { reference, amount: 30 });
    const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference });
    const made = json.entries.filter(({ detail }) => detail === 'made at the gateway');
    expect(made).toMatchObject([{ actor: 'gateway', to: 'Refunded' }]);
  });
});

describe('a refund that the gateway rejects for another reason', () => {
  it('is refused as ever, once its record was read', async () => {
    const [charge] = await charged('ELSE', 100);
    const rejecting = {
      kind: 'rejected',
      reason: 'no',
      temporary: false,
      retryAfterMs: null,
    } as const;
    vi.spyOn(SandboxGateway.prototype, 'refund').mockResolvedValue(rejecting);
    const reading = vi.spyOn(SandboxGateway.prototype, 'payment');
    const { json, status } = await call(REFUND, { reference: 'ELSE', amount: 30 });
    expect([status, json.code]).toEqual([502, 'gateway_error']);
    expect(reading.mock.calls.map(([id]) => id)).toEqual([charge?.payment]);
  });

  it('is refused as ever where its record cannot be read', async () => {
    const [charge] = await charged('SILENT', 100);
    await sandboxDesk.refund(charge?.payment ?? '');
    const silent = { kind: 'unknown', reason: 'no answer' } as const;
    vi.spyOn(SandboxGateway.prototype, 'payment').mockResolvedValue(silent);
    const { json, status } = await call(REFUND, { reference: 'SILENT', amount: 30 });
    expect([status, json.code]).toEqual([502, 'gateway_error']);
  });
});
