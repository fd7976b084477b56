import { seeded } from '../seed.ts';
import { post, tokenOf } from './client.ts';

/** How many bookings pay. */
const BOOKINGS = 60;

const DAY_MS = 86_400_000;

interface Taken {
  readonly transaction: { readonly id: number };
}

/** Plays payments with all that can become of them, until everything is paid out: what the books are made of. */
export async function playPayments(url: string): Promise<void> {
  const engine = await tokenOf(url, seeded.client);
  const admin = await tokenOf(url, seeded.admin);
  const { property } = seeded;
  const act = (action: string, details: object) =>
    post(url, admin, '/sandbox/v1/act', { action, property, notify: false, ...details });
  for (let number = 1; number <= BOOKINGS; number += 1) {
    const reference = `BOOKS-${number}`;
    await post(url, engine, '/booking/v1/create/manage-payments', {
      reference,
      arrival: '14-02-2028',
      departure: '17-02-2028',
      status: 'booked',
      email: 'guest@hotel.com',
      lastName: 'Nguyen',
      totalCost: 600,
      firstNightCost: 200,
    });
    const card = { reference, cardNumber: '4242424242424242', cardExpiry: '12/2030' };
    await post(url, engine, '/payment/v1/tokenize', card);
    const transactionType = number % 5 === 0 ? 'Bond' : 'Balance';
    const paid = { reference, amount: 100 + number / 7, transactionType };
    const amount = Math.round(paid.amount * 100) / 100;
    const { transaction } = await post<Taken>(url, engine, '/payment/v1/create', {
      ...paid,
      amount,
    });
    const chargeId = transaction.id;
    if (number % 3 === 0) await post(url, engine, '/refund/v1/create', { reference, amount: 40 });
    if (number % 6 === 1)
      await post(url, engine, '/refund/v1/create', { reference, chargeId, amount });
    if (number % 10 === 4) await act('dispute', { reference, chargeId });
    if (number % 20 === 4) await act('winDispute', { reference, chargeId });
  }
  const { now } = await post<{ now: string }>(url, admin, '/sandbox/v1/clock/get', { property });
  for (const days of [4, 8]) {
    const to = new Date(Date.parse(now) + days * DAY_MS).toISOString();
    await post(url, admin, '/sandbox/v1/clock/advance', { property, to });
  }
}
