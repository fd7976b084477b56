import type { Booking, Fixtures } from './fixtures.ts';
import type { Requests } from './load.ts';
import type { Runtime } from './runtime.ts';

/** One thing to measure. */
export interface Target extends Requests {
  readonly name: TargetName;
}

/** Targets that move no money: each operation of the service follows its yardstick. */
const readingNames = [
  'empty route',
  'token check',
  'rate limit',
  'empty object call',
  'bare read',
  'list',
  'details',
] as const;

const chargingNames = ['bare charge', 'bare charge + acquirer', 'charge'] as const;

/** The order of the tables. */
export const targetNames = [...readingNames, ...chargingNames] as const;

export type TargetName = (typeof targetNames)[number];

/** The comparisons, by requests per second. */
export interface Comparison {
  readonly one: TargetName;
  readonly other: TargetName;
  /** The target ratio at every number of connections; null for a ratio that only explains others. */
  readonly wanted: number | null;
}

/**
 * Compares the service with its yardsticks, and yardsticks with each other. The yardstick of a charge is a bare charge
 * with an acquirer, because every charge needs one.
 */
export const comparisons: readonly Comparison[] = [
  { one: 'charge', other: 'bare charge + acquirer', wanted: 0.8 },
  { one: 'list', other: 'bare read', wanted: 0.8 },
  { one: 'details', other: 'bare read', wanted: 0.8 },
  { one: 'token check', other: 'empty route', wanted: 0.7 },
  { one: 'charge', other: 'bare charge', wanted: null },
  { one: 'bare charge + acquirer', other: 'bare charge', wanted: null },
  { one: 'rate limit', other: 'empty route', wanted: null },
  { one: 'bare charge', other: 'empty route', wanted: null },
  { one: 'bare read', other: 'empty route', wanted: null },
  { one: 'empty object call', other: 'empty route', wanted: null },
];

/**
 * All targets, in groups that are measured one after the other. The charges come last: their alarms and messages would
 * slow the other targets.
 */
export function makeTargets(
  { service, yardstick }: Runtime,
  { authorization, charged, yardstickCharged, read }: Fixtures,
): Target[][] {
  const json = { 'Content-Type': 'application/json' };
  const asClient = { ...json, Authorization: authorization };
  const reads = read.map(({ reference }) => JSON.stringify({ reference }));
  const targets: Record<TargetName, Omit<Target, 'name'>> = {
    charge: post(service, '/payment/v1/create', asClient, charges(charged)),
    list: post(service, '/payment/v1/transaction', asClient, reads),
    details: post(service, '/booking/v1/get-details', asClient, reads),
    'empty route': get(yardstick, '/empty'),
    'token check': get(yardstick, '/token', { Authorization: authorization }),
    'rate limit': get(yardstick, '/rate-limit'),
    'empty object call': post(yardstick, '/object', json, whole(yardstickCharged)),
    'bare read': post(yardstick, '/read', json, whole(read)),
    'bare charge': post(yardstick, '/charge', json, whole(yardstickCharged)),
    'bare charge + acquirer': post(
      yardstick,
      '/charge-with-acquirer',
      json,
      whole(yardstickCharged),
    ),
  };
  return [readingNames, chargingNames].map((names) =>
    names.map((name) => ({ name, ...targets[name] })),
  );
}

function get(origin: URL, path: string, headers: Target['headers'] = {}): Omit<Target, 'name'> {
  return { url: new URL(path, origin), method: 'GET', headers, bodies: [''] };
}

function post(
  origin: URL,
  path: string,
  headers: Target['headers'],
  bodies: Target['bodies'],
): Omit<Target, 'name'> {
  return { url: new URL(path, origin), method: 'POST', headers, bodies };
}

function charges(bookings: readonly Booking[]): string[] {
  return bookings.map(({ reference }) => JSON.stringify({ reference, amount: 150 }));
}

/** The parameters of the yardsticks, which look nothing up. */
function whole(bookings: readonly Booking[]): string[] {
  return bookings.map((booking) => JSON.stringify(booking));
}
