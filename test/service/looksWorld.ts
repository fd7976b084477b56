/** A hotel on a running service with a booking in each state, for who looks at every page: see looksStates.ts. */
import { withDatabase } from '../../scripts/prepare.ts';
import {
  ANSWER_LOST,
  DISPUTED,
  GOOD,
  INSUFFICIENT_FUNDS,
  LOST_CARD,
  REFUND_FAILS,
} from '../support/cards.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { Client, mailedLink } from './client.ts';

const DAY_MS = 86_400_000;

/** The hotel's id and name. */
export const HOTEL = { id: 'looks', name: 'Hotel Freycinet & Spa' } as const;

/** Who works there, by their roles. */
export const STAFF = { manager: 'manager@looks.localhost', viewer: 'viewer@looks.localhost' };

const SETTINGS_OF_HOTEL = {
  name: HOTEL.name,
  cardFeeBasisPoints: 300,
  refundLimit: 50,
  cardRecovery: SETTINGS,
  guestCancellation: true,
  branding: { colour: '#0f766e' },
  contact: {
    email: 'desk@looks.localhost',
    phone: '+61 3 5550 1234',
    address: '1 Bay Road\nColes Bay',
  },
  cancellationPolicy: {
    rules: [{ daysBeforeArrival: 14, keep: { nothing: true } }, { keep: { percent: 50 } }],
  },
  planTemplates: [
    {
      key: 'halves',
      name: 'Two halves',
      offered: true,
      terms: [
        { label: 'First half', percent: 50, due: { anchor: 'arrival', days: -14 } },
        { rest: true, due: { anchor: 'arrival' } },
      ],
    },
  ],
  pms: { url: 'http://127.0.0.1:1/pms', username: 'pms', password: 'pms-pass' },
};

/** What the pages are about. */
export interface World {
  readonly url: string;
  /** Ids, days and links that addresses need, by their names. */
  readonly ids: Readonly<Record<string, string>>;
  /** The link to a booking's payment page, the same each time. */
  readonly linkTo: (reference: string) => Promise<string>;
}

/** Makes the hotel. Its clock stands four days ahead, so that there are payouts, and a charge failed on its day. */
export async function makeWorld(url: string): Promise<World> {
  const admin = new Client(url);
  const client = await admin.property(HOTEL.id, SETTINGS_OF_HOTEL);
  for (const [role, email] of Object.entries(STAFF)) {
    const person = { email, name: `Kim ${role}`, role, property: HOTEL.id };
    await admin.call('/admin/v1/user/put', person, { admin: true });
  }
  const hotel = new Hotel(client);
  await together([() => failOnItsDay(hotel), () => hotel.paid('PAID', 600), () => beLate(hotel)]);
  const to = { property: HOTEL.id, to: inDays(4) };
  await admin.call('/sandbox/v1/clock/advance', to, { admin: true });
  await together(stories(hotel));
  const act = {
    action: 'charge',
    property: HOTEL.id,
    reference: 'BUSY',
    amount: 42,
    notify: false,
  };
  await admin.call('/sandbox/v1/act', act, { admin: true });
  const compared = { property: HOTEL.id, from: inDays(-1), to: inDays(5) };
  await admin.call('/admin/v1/reconciliation/run', compared, { admin: true });
  await importFiles(hotel);
  const { disputes } = await hotel.post('/dispute/v1/list', { reference: 'DISPUTED' });
  hotel.ids['dispute'] = disputes[0]?.disputeId ?? '';
  hotel.ids['request'] = await mailedLink(url, 'request@looks.localhost', '/guest/v1/card');
  Object.assign(hotel.ids, { today: isoDay(4), longAgo: isoDay(-290) });
  const links = new Map<string, Promise<string>>();
  const linkTo = (reference: string) => {
    const link = links.get(reference) ?? client.link(reference);
    links.set(reference, link);
    return link;
  };
  return { url, ids: hotel.ids, linkTo };
}

/** The booking engine of the hotel. */
class Hotel {
  readonly ids: Record<string, string> = {};
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async post(path: string, body: object) {
    return (await this.client.call(path, body)).json;
  }

  async book(reference: string, details: object = {}): Promise<void> {
    const stay = { arrival: dayIn(40), departure: dayIn(43), firstName: 'Ana' };
    await this.client.book(reference, { ...stay, ...details });
  }

  /** A booking with a card that the booking engine gave. */
  async withCard(reference: string, cardNumber = GOOD, details: object = {}): Promise<void> {
    await this.book(reference, details);
    await this.post('/payment/v1/tokenize', { reference, cardNumber, cardExpiry: '12/2030' });
  }

  /** Charges the booking's card; the payment's id is kept under the reference in small letters. */
  async charge(reference: string, amount: number, more: object = {}): Promise<void> {
    await this.post('/payment/v1/create', { reference, amount, ...more });
    const payments = await this.client.transactions(reference);
    this.ids[reference.toLowerCase()] = String(payments.at(-1)?.id);
  }

  async paid(reference: string, amount: number, cardNumber = GOOD): Promise<void> {
    await this.withCard(reference, cardNumber);
    await this.charge(reference, amount);
  }

  async schedule(reference: string, amount: number, days: number): Promise<void> {
    await this.post('/payment/v1/schedule', { reference, amount, time: inDays(days) });
  }
}

async function failOnItsDay(hotel: Hotel): Promise<void> {
  await hotel.withCard('RECOVERY', LOST_CARD);
  await hotel.schedule('RECOVERY', 250, 2);
}

async function beLate(hotel: Hotel): Promise<void> {
  await hotel.withCard('OVERDUE', GOOD, { arrival: dayIn(1), departure: dayIn(3) });
  await hotel.charge('OVERDUE', 100);
}

/** What happens to each booking. */
function stories(hotel: Hotel): (() => Promise<unknown>)[] {
  const post = hotel.post.bind(hotel);
  return [
    () => hotel.book('FRESH'),
    () => hotel.book('ADDED'),
    () => hotel.book('STEP'),
    () => hotel.book('UNPRICED', { totalCost: 0, firstNightCost: 0 }),
    () => hotel.withCard('OFFERED'),
    () => hotel.book('CANCELLED', { status: 'cancelled' }),
    () => hotel.paid('DISPUTED', 450, DISPUTED),
    () => hotel.paid('DECLINED', 300.5, INSUFFICIENT_FUNDS),
    () => hotel.paid('UNKNOWN', 120, ANSWER_LOST),
    () => beBusy(hotel),
    async () => {
      await hotel.withCard('SCHEDULED');
      await hotel.schedule('SCHEDULED', 400, 20);
    },
    async () => {
      await hotel.paid('REFUNDED', 600);
      await post('/refund/v1/create', { reference: 'REFUNDED', amount: 140 });
    },
    async () => {
      await hotel.paid('OVERPAID', 600);
      await hotel.book('OVERPAID', { totalCost: 480 });
    },
    async () => {
      await hotel.paid('REFUSED', 30, REFUND_FAILS);
      await post('/refund/v1/create', { reference: 'REFUSED', amount: 30 });
    },
    async () => {
      await hotel.withCard('PLANNED');
      const terms = [
        { label: 'Deposit', transactionType: 'Deposit', percent: 30, due: { anchor: 'now' } },
        { label: 'Balance', rest: true, due: { anchor: 'arrival', days: -14 } },
      ];
      await post('/payment-plan/v1/put', { reference: 'PLANNED', terms });
    },
    async () => {
      await hotel.paid('SETTLED', 300);
      const asked = { reference: 'SETTLED', reason: 'guest' };
      const { cancellation } = await post('/booking/v1/cancellation/quote', asked);
      const { cancellationQuoteId } = cancellation;
      await post('/booking/v1/cancellation/apply', { reference: 'SETTLED', cancellationQuoteId });
    },
    async () => {
      await hotel.withCard('MANY');
      for (let night = 1; night <= 12; night += 1) {
        await hotel.charge('MANY', 30 + night, { description: `Night ${night}` });
      }
    },
    async () => {
      await hotel.book('VIRTUAL');
      const virtualCard = {
        activeFrom: inDays(6),
        activeUntil: inDays(60),
        limit: 500,
        channel: 'Agency',
      };
      const card = { reference: 'VIRTUAL', cardNumber: GOOD, cardExpiry: '12/2040' };
      await post('/payment/v1/tokenize', { ...card, virtualCard });
    },
    async () => {
      await hotel.book('EXPIRED');
      hotel.ids['expired'] = await hotel.client.link('EXPIRED');
      await post('/booking/v1/get-url', { reference: 'EXPIRED', revokeEarlier: true });
    },
    async () => {
      await hotel.book('REQUEST', { email: 'request@looks.localhost' });
      await post('/payment/v1/request-card-details', { reference: 'REQUEST' });
    },
  ];
}

async function beBusy(hotel: Hotel): Promise<void> {
  const named = { firstName: 'Maximilian', lastName: 'van der Westhuizen-Nakamura' };
  await hotel.withCard('BUSY', GOOD, named);
  const made = [
    { amount: 150, description: 'First night' },
    { amount: 60, preAuth: true, expiryTime: inDays(9) },
  ];
  for (const one of made) await hotel.post('/payment/v1/create', { reference: 'BUSY', ...one });
  await hotel.schedule('BUSY', 25, 12);
  for (const { id, status } of await hotel.client.transactions('BUSY')) {
    hotel.ids[status] = String(id);
  }
  await hotel.post('/refund/v1/create', {
    reference: 'BUSY',
    chargeId: Number(hotel.ids['Accepted']),
    amount: 40,
  });
}

async function importFiles({ ids, client }: Hotel): Promise<void> {
  const text = `Date,Amount,Description\n${isoDay(1)},154.64,ACQUIRER PAYOUT 4711\n${isoDay(2)},-12.00,Account fee`;
  const csv = { date: 'Date', amount: 'Amount', description: 'Description' };
  await client.call('/bank-statement/v1/import', { format: 'csv', text, csv });
  const line = { transactionId: '1', reference: 'WALK-IN', type: 'Refund', amountGross: 5 };
  const lines = [{ ...line, processedTime: `${isoDay(1)} 10:15:00` }];
  const days = { from: isoDay(0), to: isoDay(4) };
  const { json } = await client.call('/pms-ledger/v1/compare', { ...days, lines });
  ids['report'] = json.report.reportId;
}

async function together(all: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(all.map((one) => one()));
}

/**
 * Has nobody ask the acquirer about the payment without an answer while pages are looked at, and the PMS have refused some
 * messages for days; the service rests.
 */
export async function settleWorld(statePath: string): Promise<void> {
  await withDatabase(statePath, (d1) =>
    d1.batch([
      d1
        .prepare(
          "UPDATE transactions SET due_at_ms = due_at_ms + ?, version = version + 1 WHERE booking_reference = 'UNKNOWN' AND status = 'Processing'",
        )
        .bind(100 * DAY_MS),
      d1.prepare(
        `UPDATE outbox SET status = 'Dead', due_at_ms = NULL, attempts = 11, last_error = '503 Service Unavailable'
         WHERE booking_reference IN ('PAID', 'OVERDUE')`,
      ),
    ]),
  );
}

/** A day as bookings have it: `14-02-2027`. */
function dayIn(days: number): string {
  return isoDay(days).split('-').toReversed().join('-');
}

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

function isoDay(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
