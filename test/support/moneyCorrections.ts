/** What happens at the acquirer past this service, and what each must come to here whatever goes wrong. */
import { vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import type { Gateway, MoneyRequest, Outcome } from '../../src/gateways/gateway.ts';
import { selectGateway } from '../../src/gateways/select.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { type Desk, newestPaid, type Paid, tellOfDispute, tellOfPayment } from './acquirerDesk.ts';
import { disagreementsInAll } from './agreement.ts';
import { atTime, call, callAsAdmin, makeBooking, testEnv } from './api.ts';
import { GOOD } from './cards.ts';
import { type Crossed, type FaultKind, sweepFrom, withFault } from './faults.ts';

/** Tells this service of it: how many corrections it made, or the code of its failure. */
type Tell = () => Promise<number | string>;

/** Something that happens at the acquirer, which this service hears of. */
export interface Correction {
  readonly name: string;
  /** How many corrections follow when this service hears of it. */
  readonly corrections: number;
  /** No money moves by it, so that the comparison sees nothing before. */
  readonly movesNothing?: true;
  /** Makes a booking, lets it happen there, and returns how to tell of it. */
  readonly happens: (desk: Desk, booking: string) => Promise<Tell>;
}

const DUE = new Date(Math.ceil(Date.now() / 1000) * 1000 + DAY_MS).toISOString();

async function charge(booking: string): Promise<Paid> {
  await makeBooking(booking, GOOD);
  await call('/payment/v1/create', { reference: booking, amount: 10 });
  return newestPaid(booking);
}

async function hold(booking: string): Promise<Paid> {
  await makeBooking(booking, GOOD);
  const body = { reference: booking, amount: 10, preAuth: true, expiryTime: DUE };
  await call('/payment/v1/create', body);
  return newestPaid(booking);
}

async function refunded(booking: string): Promise<{ paid: Paid; refund: string }> {
  const paid = await charge(booking);
  await call('/refund/v1/create', { reference: booking, chargeId: paid.id, amount: 4 });
  const [refund] = await refundsOf(booking);
  return { paid, refund: refund ?? '' };
}

/** The acquirer's ids of a booking's refunds. */
async function refundsOf(booking: string): Promise<string[]> {
  const sql = 'SELECT gateway_reference FROM refunds WHERE booking_reference = ? ORDER BY id';
  return (await testEnv.DB.prepare(sql).bind(booking).raw<[string]>()).map(([id]) => id);
}

type Verb = 'charge' | 'authorize' | 'capture' | 'release' | 'refund';

/** A request that this service gets no answer to. It arrives at the acquirer when `arrives` is called. */
interface Lost {
  readonly arrives: () => Promise<Outcome>;
}

/** Does something whose request of a kind is lost on its way. */
export async function losing(verb: Verb, run: () => Promise<unknown>): Promise<Lost> {
  const gateway = selectGateway(await requireConfig(testEnv), testEnv);
  const prototype = Object.getPrototypeOf(gateway) as Gateway;
  const sent: MoneyRequest[] = [];
  const spy = vi.spyOn(prototype, verb).mockImplementation((request: MoneyRequest) => {
    sent.push(request);
    return Promise.resolve({ kind: 'unknown', reason: 'no answer in time' } as const);
  });
  await run();
  spy.mockRestore();
  const [request] = sent;
  if (!request) throw new Error('nothing was sent');
  const of = gateway as Gateway & Record<Verb, (request: MoneyRequest) => Promise<Outcome>>;
  return { arrives: () => of[verb](request) };
}

/** A charge or hold that an administrator ended as failed, and that reached the acquirer only then. */
async function failedThenMade(
  booking: string,
  verb: 'charge' | 'authorize',
  details: Record<string, unknown> = {},
): Promise<Tell> {
  await makeBooking(booking, GOOD);
  const body = { reference: booking, amount: 10, ...details };
  const lost = await losing(verb, () => call('/payment/v1/create', body));
  const paid = await newestPaid(booking);
  const verdict = { id: paid.id, outcome: 'Failed', reason: 'the bank knows nothing of it' };
  const said = await atTime(Date.now() + HOUR_MS, () =>
    callAsAdmin('/admin/v1/operation/resolve', verdict),
  );
  if (said.status !== 200) throw new Error(JSON.stringify(said.json));
  return tellingOf(paid, await lost.arrives());
}

function tellingOf(paid: Paid, outcome: Outcome): Tell {
  const payment = outcome.kind === 'approved' ? (outcome.gatewayReference ?? '') : '';
  return () => tellOfPayment({ ...paid, payment });
}

/** Everything that can happen there. */
export const moneyCorrections: Correction[] = [
  {
    name: 'hold captured there',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      await desk.capture(paid.payment);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'hold captured there in part',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      await desk.capture(paid.payment, 412);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'hold captured and refunded there',
    corrections: 2,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      await desk.capture(paid.payment);
      await desk.refund(paid.payment, 300);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'hold let go there',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      await desk.release(paid.payment);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'hold captured in another amount',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      const body = { reference: booking, chargeId: paid.id, amount: 5 };
      await losing('capture', () => call('/payment/v1/charge-pre-auth', body));
      await desk.capture(paid.payment, 800);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'hold captured, its release lost',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      const body = { reference: booking, chargeId: paid.id };
      await losing('release', () => call('/payment/v1/cancel-pre-auth', body));
      await desk.capture(paid.payment);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'charge refunded there',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await charge(booking);
      await desk.refund(paid.payment, 412);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'charge refunded there twice and here once',
    corrections: 2,
    happens: async (desk, booking) => {
      const { paid } = await refunded(booking);
      await desk.refund(paid.payment, 100);
      await desk.refund(paid.payment);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'refund that fails there',
    corrections: 1,
    happens: async (desk, booking) => {
      const { paid, refund } = await refunded(booking);
      await desk.failRefund(refund);
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'refund made there that fails there',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await charge(booking);
      await desk.refund(paid.payment, 412);
      await tellOfPayment(paid);
      const [refund] = await refundsOf(booking);
      await desk.failRefund(refund ?? '');
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'refund that came and went there',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await charge(booking);
      await desk.failRefund(await desk.refund(paid.payment, 412));
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'charge whose answer was lost',
    corrections: 1,
    happens: async (_desk, booking) => {
      await makeBooking(booking, GOOD);
      const body = { reference: booking, amount: 10 };
      const lost = await losing('charge', () => call('/payment/v1/create', body));
      return tellingOf(await newestPaid(booking), await lost.arrives());
    },
  },
  {
    name: 'refund whose answer was lost',
    corrections: 1,
    happens: async (_desk, booking) => {
      const paid = await charge(booking);
      const body = { reference: booking, chargeId: paid.id, amount: 4 };
      const lost = await losing('refund', () => call('/refund/v1/create', body));
      await lost.arrives();
      return () => tellOfPayment(paid);
    },
  },
  {
    name: 'charge failed here, taken there',
    corrections: 1,
    happens: (_desk, booking) => failedThenMade(booking, 'charge'),
  },
  {
    name: 'hold failed here, held there',
    corrections: 1,
    movesNothing: true,
    happens: (_desk, booking) =>
      failedThenMade(booking, 'authorize', { preAuth: true, expiryTime: DUE }),
  },
  {
    name: 'charge disputed',
    corrections: 1,
    happens: async (desk, booking) => {
      const paid = await charge(booking);
      const id = await desk.dispute(paid.payment);
      return () => tellOfDispute(paid, id);
    },
  },
  {
    name: 'hold captured and disputed there',
    corrections: 2,
    happens: async (desk, booking) => {
      const paid = await hold(booking);
      await desk.capture(paid.payment);
      const id = await desk.dispute(paid.payment);
      return () => tellOfDispute(paid, id);
    },
  },
  ...(['won', 'lost'] as const).map(
    (as): Correction => ({
      name: `dispute ${as}`,
      corrections: 1,
      ...(as === 'lost' && { movesNothing: true }),
      happens: async (desk, booking) => {
        const paid = await charge(booking);
        const id = await desk.dispute(paid.payment);
        await tellOfDispute(paid, id);
        await desk.closeDispute(paid.payment, as);
        return () => tellOfDispute(paid, id);
      },
    }),
  ),
];

/**
 * Tells of something with one fault at one of its spans, then again, as acquirers do and reconciliation does. Tells what
 * does not agree then.
 */
export async function toldWithFault(
  { name, corrections, happens }: Correction,
  desk: Desk,
  kind: FaultKind,
  { index, boundary }: Crossed,
): Promise<string[]> {
  const booking = `${name} ${kind} ${index}`;
  const tell = await happens(desk, booking);
  await withFault(index, kind, tell);
  const found = await agreeing(booking, tell, corrections);
  return found.map((words) => `${kind} at ${index} ${boundary}: ${words}`);
}

/** Tells of something twice more, with time between, and tells what does not agree then. */
export async function agreeing(booking: string, tell: Tell, most: number): Promise<string[]> {
  const again = await tell();
  const found = await disagreementsInAll(booking);
  await sweepFrom(Date.now(), 3, 20);
  const last = await tell();
  return [
    ...found,
    ...(await disagreementsInAll(booking)),
    ...(typeof again === 'string' || again > most ? [`told again: ${again}`] : []),
    ...(last === 0 ? [] : [`told once more: ${last}`]),
  ];
}
