import type { Booking, Fixtures } from './fixtures.ts';
import type { Runtime } from './runtime.ts';

/** One thing to measure: where its requests go, and what they say. */
export interface Target {
  readonly name: TargetName;
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The bodies that its requests go round; one is empty for a request without. */
  readonly bodies: readonly string[];
}

/** What moves no money: the service's operations right after what each is compared with. */
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

/**
 * Everything that is measured, in the groups that are measured one after the other: charges leave alarms and messages behind,
 * whose work would fall on whatever is measured next.
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

/** The yardsticks look nothing up: they are told all that they need. */
function whole(bookings: readonly Booking[]): string[] {
  return bookings.map((booking) => JSON.stringify(booking));
}
