import { beforeAll, describe, expect, it } from 'vitest';
import { call, freshDatabase, ledgerOf, makeBooking, transactionsOf } from '../support/api.ts';
import {
  type Crossed,
  crossingsOf,
  faultKinds,
  loseAlarms,
  sweepAfter,
  withFault,
} from '../support/faults.ts';

/** An operation that moves money, on a booking that `prepare` has made ready for it. */
interface MoneyOperation {
  readonly name: string;
  readonly prepare: (reference: string) => Promise<void>;
  readonly run: (reference: string) => Promise<unknown>;
}

const operations: MoneyOperation[] = [
  {
    name: 'charge',
    prepare: async (reference) => {
      await makeBooking(reference, '4242424242424242');
    },
    run: (reference) => call('/payment/v1/create', { reference, amount: 10 }),
  },
  {
    name: 'charge with an idempotency key',
    prepare: async (reference) => {
      await makeBooking(reference, '4242424242424242');
    },
    run: (reference) =>
      call(
        '/payment/v1/create',
        { reference, amount: 10 },
        { headers: { 'Idempotency-Key': reference } },
      ),
  },
];

beforeAll(freshDatabase);

describe.each(operations)('$name', ({ name, prepare, run }) => {
  it('has one effect at the acquirer and one record here, whatever fails at whichever boundary', async () => {
    await prepare(`${name} clean`);
    const crossed = await crossingsOf(() => run(`${name} clean`));
    const boundaries = crossed.map(({ boundary }) => boundary);
    expect(boundaries).toEqual(
      expect.arrayContaining(['d1.transaction.intend', 'd1.transaction.settle']),
    );

    const wrong: string[] = [];
    for (const kind of faultKinds) {
      for (const { index, boundary } of crossed) {
        const reference = `${name} ${kind} ${index}`;
        await prepare(reference);
        await withFault(index, kind, () => run(reference));
        await loseAlarms();
        await sweepAfter(3, 3, 15, 70);
        const fault = await faultOf(reference);
        if (fault) wrong.push(`${kind} at ${boundary}: ${fault}`);
      }
    }
    expect(wrong).toEqual([]);
    report(name, crossed);
  });
});

/** What is wrong with a booking's money, if anything is. */
async function faultOf(reference: string): Promise<string | null> {
  const ours = await transactionsOf(reference);
  const theirs = (await ledgerOf(reference)).filter(({ status }) => status === 'succeeded');
  if (theirs.length > 1) return `${theirs.length} effects`;
  if (ours.length > 1) return `${ours.length} records`;
  if (ours.some(({ status }) => status === 'Processing')) return 'still Processing';
  const accepted = ours.filter(({ status }) => status === 'Accepted').length;
  return accepted === theirs.length ? null : `${accepted} accepted, ${theirs.length} effects`;
}

function report(name: string, crossed: Crossed[]): void {
  console.log(`${name}: ${crossed.length} boundaries × ${faultKinds.length} faults`);
}
