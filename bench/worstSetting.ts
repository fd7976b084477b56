/** What the worst requests name, and who is signed in at the pages that they are sent to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../scripts/seed.ts';
import type { Client } from '../test/service/client.ts';
import type { Existing } from '../test/support/samples.ts';

const REFERENCE = 'EXISTING-1';

/** The bookings of another caller: as many as leave each with no more charges than a long stay has. */
const OTHERS = Array.from({ length: 40 }, (_, at) => `OTHER-${at + 1}`);

/** One of them. */
export const OTHER = 'OTHER-1';

/** Charges of another caller, of one booking after the other. */
export function chargesOf(client: Client): () => Promise<Response> {
  let made = 0;
  return () => {
    const reference = OTHERS[made % OTHERS.length];
    made += 1;
    return client.post('/payment/v1/create', { reference, amount: 0.5, allowDuplicate: true });
  };
}

const GOOD = '4242424242424242';
const HOUR_MS = 3_600_000;

/** How often the mailbox is looked into: links are mailed after the answer. */
const MOST_LOOKS = 100;

/** Makes what the requests name. */
export async function makeExisting(client: Client): Promise<Existing> {
  const reference = REFERENCE;
  await client.booking(reference, GOOD);
  for (const other of OTHERS) await client.booking(other, GOOD);
  const ahead = new Date(Date.now() + HOUR_MS).toISOString();
  const paid = await client.call('/payment/v1/create', { reference, amount: 150 });
  const hold = { reference, amount: 150, preAuth: true, expiryTime: ahead };
  const held = await client.call('/payment/v1/create', hold);
  const planned = { reference, amount: 10, time: ahead };
  const scheduled = await client.call('/payment/v1/schedule', planned);
  const stay = { email: 'guest@hotel.com', arrival: '2027-02-14', departure: '2027-02-17' };
  const application = await client.call('/application/v1/create', stay);
  const hook = { url: 'https://engine.hotel.com/events', active: false };
  const endpoint = await client.call('/webhook/v1/put', hook);
  return {
    property: seeded.property,
    reference,
    chargeId: paid.json.transaction.id,
    holdId: held.json.transaction.id,
    scheduleId: scheduled.json.transaction.id,
    cardToken: paid.json.transaction.cardDetails.token,
    applicationNumber: application.json.application.applicationNumber,
    endpointId: endpoint.json.endpoint.endpointId,
    disbursementId: 'sandbox-demo-2027-02-14',
    // None of these is there: the answer says so.
    disputeId: 'sandbox_be3697b0d1570a4eb0ddd7aa',
    reportId: '5f0c6f4e-3d0b-4f6a-9a52-0d5f9c1a7b3e',
  };
}

/** A session as a browser keeps it: its cookie, and the id in the paths of a guest's pages. */
export interface Session {
  readonly cookie: string;
  readonly visit: string;
}

/** A session of each kind of page. */
export interface Sessions {
  readonly payments: Session;
  readonly card: Session;
  readonly ops: Session;
  readonly console: Session;
}

/** Opens a guest's links, and signs an administrator and a manager in. */
export async function openSessions(
  url: string,
  client: Client,
  reference: string,
): Promise<Sessions> {
  const { id: clientId, secret: clientSecret } = seeded.admin;
  const { email } = seeded.manager;
  await client.call('/payment/v1/request-card-details', { reference });
  await post(url, '/console/sign-in', { email });
  const entered = await mailed(url, /https?:\/\/\S+\/console\/enter\/\S+/);
  return {
    payments: sessionIn(await open(await client.link(reference))),
    card: sessionIn(await open(await mailed(url, /https?:\/\/\S+\/guest\/v1\/card\S+/))),
    ops: sessionIn(await post(url, '/ops/sign-in', { clientId, clientSecret })),
    console: sessionIn(await post(url, new URL(entered).pathname, {})),
  };
}

/** The session that a route's own pages have. */
export function sessionOf(sessions: Sessions, route: string): Session {
  if (route.includes(' /console')) return sessions.console;
  if (route.includes(' /ops')) return sessions.ops;
  return route.includes(' /guest/v1/card') ? sessions.card : sessions.payments;
}

function open(link: string): Promise<Response> {
  return fetch(link, { redirect: 'manual' });
}

function post(url: string, path: string, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(form);
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Origin: url },
    redirect: 'manual',
    body,
  });
}

/** The first link of this form in the mailbox. */
async function mailed(url: string, form: RegExp): Promise<string> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const answer = await fetch(`${url}/dev/mailbox`, { headers: { Accept: 'application/json' } });
    const { messages } = (await answer.json()) as { messages: { text: string }[] };
    const link = messages.flatMap(({ text }) => form.exec(text) ?? [])[0];
    if (link !== undefined) return link;
    await sleep(100);
  }
  throw new Error('no link came');
}

function sessionIn(answer: Response): Session {
  const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  if (cookie === '') throw new Error(`no session: ${answer.status}`);
  return { cookie, visit: answer.headers.get('Location')?.split('/').at(-1) ?? '' };
}
