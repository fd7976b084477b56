import { migrate } from '../scripts/migrate.ts';
import { seed, seeded } from '../scripts/seed.ts';
import { type Api, openApi } from './api.ts';
import type { Runtime } from './runtime.ts';

/** Bookings for each kind of charge: more than connections, so that no charge waits for another. */
const CHARGED = 64;

/** Bookings for the reads. */
const READ = 16;

/** Transactions of each listed booking. */
const LISTED_CHARGES = 2;

/** A booking with a card. */
export interface Booking {
  readonly propertyId: string;
  readonly reference: string;
  readonly cardToken: string;
  /** Grows with the booking and with its card. */
  readonly bookingVersion: number;
}

/** The bookings of the requests. Each kind of request has its own, so that none slows another. */
export interface Fixtures {
  /** The value of the `Authorization` header. */
  readonly authorization: string;
  readonly charged: readonly Booking[];
  readonly yardstickCharged: readonly Booking[];
  readonly read: readonly Booking[];
}

/** Prepares an empty database: migrations, seeds, and bookings with cards by the API. */
export async function prepare(runtime: Runtime): Promise<Fixtures> {
  const api = await openService(runtime);
  const fixtures = {
    authorization: api.authorization,
    charged: await makeBookings(api, 'CHARGED', CHARGED),
    yardstickCharged: await makeBookings(api, 'YARDSTICK', CHARGED),
    read: await makeBookings(api, 'READ', READ),
  };
  for (const { reference } of fixtures.read) {
    for (let made = 0; made < LISTED_CHARGES; made += 1) {
      await api.post('/payment/v1/create', { reference, amount: 150 });
    }
  }
  return fixtures;
}

/** Migrates and seeds an empty database, and opens the service as the seeded client. */
export async function openService({ database, keyring, service }: Runtime): Promise<Api> {
  await migrate(database);
  await seed(database, keyring, Date.now());
  return openApi(service);
}

/** Creates bookings with a good card, one after the other. */
export async function makeBookings(api: Api, prefix: string, count: number): Promise<Booking[]> {
  const bookings: Booking[] = [];
  for (let number = 1; number <= count; number += 1) {
    bookings.push(await makeBooking(api, `${prefix}-${number}`));
  }
  return bookings;
}

async function makeBooking(api: Api, reference: string): Promise<Booking> {
  await api.post('/booking/v1/create/manage-payments', {
    reference,
    arrival: '14-02-2030',
    departure: '17-02-2030',
    status: 'booked',
    email: 'guest@example.com',
    lastName: 'Nguyen',
    // Far more than is charged: each charge beyond it would tell also that its booking is overpaid.
    totalCost: 9_000_000,
    firstNightCost: 300,
  });
  const { card } = await api.post<{ card: { token: string } }>('/payment/v1/tokenize', {
    reference,
    cardNumber: '4242424242424242',
    cardHolderName: 'A Nguyen',
    cardExpiry: '12/2040',
  });
  return { propertyId: seeded.property, reference, cardToken: card.token, bookingVersion: 2 };
}
