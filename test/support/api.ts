/** What every test inside workerd needs: a fresh database with the seeds, and a way to call the Worker. */
import { type D1Migration, reset } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { inject, vi } from 'vitest';
import { seed, seeded } from '../../scripts/seed.ts';
import type { BookingObject } from '../../src/booking/object.ts';
import type { EventDispatcher } from '../../src/events/delivery/object.ts';
import type { ExportObject } from '../../src/exports/object.ts';
import type { MailDispatcher } from '../../src/mails/object.ts';
import type { PropertyMover } from '../../src/moves/object.ts';
import type { Env } from '../../src/platform/env.ts';
import type { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import type { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import type { PropertyClockObject } from '../../src/sandbox/clock/object.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import type { AnswerBody, LedgerBody, TransactionBody } from './answers.ts';
import { forgetMemories } from './memories.ts';
import { isEmpty, makeSchema } from './schema.ts';
import { asD1 } from './store.ts';

/** The bindings of the tests: those of the Worker, and the migrations to apply. */
export interface TestEnv
  extends Omit<
    Env,
    | 'BOOKINGS'
    | 'CLOCKS'
    | 'EVENT_DISPATCHER'
    | 'EXPORTER'
    | 'MAILER'
    | 'MOVER'
    | 'PMS_DISPATCHER'
    | 'SANDBOX_GATEWAY'
  > {
  readonly BOOKINGS: DurableObjectNamespace<BookingObject>;
  readonly CLOCKS: DurableObjectNamespace<PropertyClockObject>;
  readonly EVENT_DISPATCHER: DurableObjectNamespace<EventDispatcher>;
  readonly EXPORTER: DurableObjectNamespace<ExportObject>;
  readonly MAILER: DurableObjectNamespace<MailDispatcher>;
  readonly MOVER: DurableObjectNamespace<PropertyMover>;
  readonly PMS_DISPATCHER: DurableObjectNamespace<PmsDispatcher>;
  readonly SANDBOX_GATEWAY: DurableObjectNamespace<SandboxAcquirer>;
  readonly TEST_MIGRATIONS: D1Migration[];
  /** A database beside the first: see databases.ts. */
  readonly SPARE_2: D1Database;
}

const isOnStore = inject('store');

export const testEnv = (isOnStore ? { ...env, DB: asD1('DB') } : env) as TestEnv;

/** The origin that the tests call; local mode serves loopback names only. */
const ORIGIN = 'http://localhost';

/** Empties every store, makes the schema and seeds. */
export async function freshDatabase(): Promise<void> {
  await forgetEverything();
  // A database in an object makes its own.
  if (!isOnStore) await makeSchema(testEnv.DB, testEnv.TEST_MIGRATIONS);
  await seed(testEnv.DB, testEnv.KEYRING ?? '', Date.now());
  tokens.clear();
  forgetMemories();
}

/** What the file before still does in the background can keep an object, and what it stores, alive. */
async function forgetEverything(): Promise<void> {
  for (let times = 0; times < 100; times += 1) {
    await reset();
    const left = await sandboxAcquirer(testEnv).ledger(null);
    if (left.length === 0 && (await isEmpty(testEnv.DB))) return;
    await scheduler.wait(100);
  }
  throw new Error('an object survives');
}

/** A parsed answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: AnswerBody;
}

let made = 0;

/** How many requests were made of the Worker so far. */
export function requestsMade(): number {
  return made;
}

/** Calls the Worker as a client over HTTP would. */
export async function http(path: string, init: RequestInit = {}): Promise<Response> {
  made += 1;
  const worker = (exports as unknown as { default: Fetcher }).default;
  return worker.fetch(`${ORIGIN}${path}`, init);
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** Posts JSON, by default as the seeded booking engine. */
export async function call(
  path: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  const token = options.token ?? (await engineToken());
  const response = await http(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...options.headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return parsed(response);
}

/** Posts JSON as the seeded administrator. */
export async function callAsAdmin(path: string, body: unknown): Promise<Answer> {
  return call(path, body, { token: await adminToken() });
}

/** Reads an answer's JSON. */
export async function parsed(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const tokens = new Map<string, string>();

/** Has the next calls take new tokens: those of a run that takes longer than an hour have ended. */
export function forgetTokens(): void {
  tokens.clear();
}

/** An access token of the seeded booking engine. */
export function engineToken(): Promise<string> {
  return tokenOf(seeded.client.id, seeded.client.secret);
}

/** An access token of the seeded administrator. */
export function adminToken(): Promise<string> {
  return tokenOf(seeded.admin.id, seeded.admin.secret);
}

/** An access token by client credentials, got once a file. */
export async function tokenOf(id: string, secret: string, scope?: string): Promise<string> {
  const name = `${id} ${scope ?? ''}`;
  const known = tokens.get(name);
  if (known) return known;
  const response = await http('/auth/v1/token', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
  });
  const token = (await parsed(response)).json.access_token;
  tokens.set(name, token);
  return token;
}

/** Makes a property of its own with one client that may do everything, and returns the client's token. */
export async function makeProperty(
  property: string,
  details: Record<string, unknown> = {},
): Promise<string> {
  await callAsAdmin('/admin/v1/property/put', {
    property,
    name: `Property ${property}`,
    site: `${property}.localhost`,
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    ...details,
  });
  const { json } = await callAsAdmin('/admin/v1/client/create', {
    property,
    scopes: [
      'bookings',
      'payments',
      'cards',
      'inventory',
      'applications',
      'disbursements',
      'events',
    ],
  });
  return tokenOf(json.clientId, json.clientSecret);
}

/** Runs something at another time: every clock of the Worker and its objects shows it, but no alarm moves. */
export async function atTime<T>(instant: string | number, run: () => Promise<T>): Promise<T> {
  const kept = new Map(tokens);
  tokens.clear();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
  try {
    return await run();
  } finally {
    vi.useRealTimers();
    tokens.clear();
    for (const [name, token] of kept) tokens.set(name, token);
  }
}

/** A booking's body, complete and valid. */
export function bookingOf(reference: string, details: Record<string, unknown> = {}) {
  return {
    reference,
    arrival: '14-02-2027',
    departure: '17-02-2027',
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Nguyen',
    totalCost: 600,
    firstNightCost: 200,
    ...details,
  };
}

/** Makes a booking, with a card when one is named, and returns the card's token. */
export async function makeBooking(
  reference: string,
  cardNumber?: string,
  options: CallOptions = {},
): Promise<string> {
  const booked = await call('/booking/v1/create/manage-payments', bookingOf(reference), options);
  if (booked.status !== 200) throw new Error(`no booking: ${JSON.stringify(booked.json)}`);
  if (cardNumber === undefined) return '';
  return attachCard(reference, cardNumber, options);
}

/** Tokenizes a card for a booking, and returns its token. */
export async function attachCard(
  reference: string,
  cardNumber: string,
  options: CallOptions = {},
): Promise<string> {
  const body = {
    reference,
    cardNumber,
    cardExpiry: '12/2030',
    cardHolderName: 'A Nguyen',
    cvv: '123',
  };
  const answer = await call('/payment/v1/tokenize', body, options);
  if (answer.status !== 200) throw new Error(`no card: ${JSON.stringify(answer.json)}`);
  return answer.json.card.token;
}

/** All transactions of a booking. */
export async function transactionsOf(
  reference: string,
  options: CallOptions = {},
): Promise<TransactionBody[]> {
  return (await call('/payment/v1/transaction', { reference }, options)).json.transactions;
}

/** What the acquirer recorded for a booking reference. */
export async function ledgerOf(reference: string): Promise<LedgerBody[]> {
  return (await callAsAdmin('/sandbox/v1/ledger', { reference })).json.operations;
}
