/**
 * `npm run bench:stores`: a property whose database is one of D1 beside one whose database is in an object's storage, in one
 * service: how many charges, details and lists each answers in a second, in turns.
 */
import { freePort, startService } from '../scripts/service.ts';
import { type Api, openProperty } from './api.ts';
import { makeBookings } from './fixtures.ts';
import { measure, type Requests, type Round, warm } from './load.ts';
import { connectionCounts } from './rounds.ts';
import { inFolder, stopOnSignals } from './scratch.ts';
import { summarize, throughputRatio } from './statistics.ts';

/** How often both are measured in turns, and for how long each. */
const CYCLES = 12;
const SECONDS = 1;

/** More than connections, so that no charge waits for another. */
const BOOKINGS = 64;

/** What is compared: an operation's path, and the members of its body beside the reference. */
const OPERATIONS = [
  { name: 'charge', path: '/payment/v1/create', more: { amount: 150, allowDuplicate: true } },
  { name: 'details', path: '/booking/v1/get-details', more: {} },
  { name: 'list', path: '/payment/v1/transaction', more: {} },
] as const;

const signal = stopOnSignals();

try {
  await inFolder(run);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(folder: string): Promise<void> {
  process.env['STORES'] = '1';
  const persistTo = `${folder}/state`;
  const service = await startService({ port: await freePort(), persistTo, crons: false });
  try {
    const url = new URL(service.url);
    const onD1 = await requestsOf(url, 'on-d1', 'DB');
    const inObject = await requestsOf(url, 'in-an-object', 'STORE1');
    for (const { name } of OPERATIONS) {
      for (const connections of connectionCounts) {
        console.log(`› ${name}, ${connections} connections`);
        const [ofD1, ofObject] = await inTurns([onD1[name], inObject[name]], connections);
        const [one, other] = [summarize(ofObject), summarize(ofD1)];
        if (one.errors + other.errors > 0)
          throw new Error(ofObject.concat(ofD1).flatMap(({ errors }) => errors)[0]);
        console.log(
          `  in an object ${throughputRatio(ofObject, ofD1).toFixed(2)} × of D1; p50 ${one.p50Ms.toFixed(1)} and ${other.p50Ms.toFixed(1)} ms`,
        );
      }
    }
  } finally {
    await service.kill();
  }
}

type Name = (typeof OPERATIONS)[number]['name'];

/** Makes a property in a database, with bookings, and the requests of each operation for these. */
async function requestsOf(
  service: URL,
  property: string,
  database: string,
): Promise<Record<Name, Requests>> {
  const api = await openProperty(service, property, { database });
  const bookings = await makeBookings(api, property, BOOKINGS);
  const references = bookings.map(({ reference }) => reference);
  const all = OPERATIONS.map((one) => [one.name, requests(service, api, one, references)] as const);
  const made = Object.fromEntries(all) as Record<Name, Requests>;
  await warm(made.charge);
  return made;
}

function requests(
  service: URL,
  { authorization }: Api,
  { more, path }: (typeof OPERATIONS)[number],
  references: readonly string[],
): Requests {
  return {
    url: new URL(path, service),
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    bodies: references.map((reference) => JSON.stringify({ reference, ...more })),
  };
}

/** The rounds of both, in turns. */
async function inTurns(
  [one, other]: readonly [Requests, Requests],
  connections: number,
): Promise<[Round[], Round[]]> {
  const rounds: [Round[], Round[]] = [[], []];
  for (const both of [one, other]) await measure(both, connections, SECONDS, signal);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    rounds[0].push(await measure(one, connections, SECONDS, signal));
    rounds[1].push(await measure(other, connections, SECONDS, signal));
    signal.throwIfAborted();
  }
  return rounds;
}
