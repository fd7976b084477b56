/** The rotation of keys as docs/deploy.md has it, with real processes: nobody sends a secret again, and nothing stops. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { freePort, type Service } from '../../scripts/service.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { Client, mailedLink, stateFolder } from './client.ts';
import { startQuickly } from './quickService.ts';

/** The key of the local start, with which the state is seeded. */
const K1 = 'local-1:bG9jYWwtZGV2ZWxvcG1lbnQta2V5LW5vdC1hLXNlY3I=';
const K2 = `local-2:${btoa('local-2'.padEnd(32, '-'))}`;

const state = stateFolder();
const posted: { path: string; headers: IncomingHttpHeaders; text: string }[] = [];
let hotel: Server;
let hotelUrl: string;
let port: number;
let service: Service | null = null;

/** Plays the PMS at `/pms` and the endpoint at `/events`: confirms everything. */
beforeAll(async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    posted.push({ path: request.url ?? '', headers: request.headers, text });
    if (request.url === '/events') return response.writeHead(204).end();
    const { EchoData, MessageID } = JSON.parse(text) as Record<string, string>;
    const TimeStamp = new Date().toISOString();
    response.setHeader('Content-Type', 'application/json');
    return response.end(JSON.stringify({ MessageID, EchoData, TimeStamp, Status: 'Success' }));
  };
  hotel = createServer((request, response) => void answer(request, response));
  const hotelPort = await freePort();
  await new Promise<void>((resolve) => {
    hotel.listen(hotelPort, '127.0.0.1', resolve);
  });
  hotelUrl = `http://127.0.0.1:${hotelPort}`;
  port = await freePort();
});

afterAll(async () => {
  await service?.kill();
  hotel.close();
  state.remove();
});

/** Asks for a link that signs the manager in to the console, and returns the one that was mailed. */
async function consoleLink(url: string, before = ''): Promise<string> {
  const { email } = seeded.manager;
  const body = new URLSearchParams({ email });
  await fetch(`${url}/console/sign-in`, { method: 'POST', body, headers: { Origin: url } });
  return mailedLink(url, email, '/console/enter/', { before });
}

/** Signs in to the console by a mailed link; what the console then shows with the cookie of that. */
async function enterConsole(url: string, link: string): Promise<string> {
  const entered = await fetch(link, {
    method: 'POST',
    headers: { Origin: url },
    redirect: 'manual',
  });
  const cookie = entered.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  return (await fetch(`${url}/console`, { headers: { Cookie: cookie } })).text();
}

/** Restarts the service with a value of `KEYRING`. */
async function restartWith(KEYRING: string): Promise<string> {
  const prepared = service !== null;
  await service?.stop();
  const variables = { KEYRING };
  service = await startQuickly({ port, persistTo: state.path, prepared, variables });
  return service.url;
}

/** What reached the hotel's side about a booking, by its path. */
const heardOf = (reference: string) =>
  posted.filter(({ text }) => text.includes(reference)).map(({ path }) => path);

/** The status of a guest's link: 303 leads to the page in a session. */
const opens = async (link: string) => (await fetch(link, { redirect: 'manual' })).status;

/** A sign-in at the operations page; its cookie. */
async function signIn(url: string): Promise<string> {
  const { id: clientId, secret: clientSecret } = seeded.admin;
  const body = new URLSearchParams({ clientId, clientSecret });
  const headers = { Origin: url };
  const answer = await fetch(`${url}/ops/sign-in`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
  });
  return answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
}

describe('keys that are rotated by the documents', () => {
  it('are replaced: messages, events, links, sessions, tokens and answers go on', async () => {
    const url = await restartWith(K1);
    const client = new Client(url);
    const hotelClient = await client.property('rotating', {
      pms: { url: `${hotelUrl}/pms`, username: 'pms', password: 'a-pms-password' },
    });
    const endpoint = await hotelClient.call('/webhook/v1/put', { url: `${hotelUrl}/events` });
    const { secret } = endpoint.json.endpoint;
    await hotelClient.booking('BEFORE', '4242424242424242');
    const charge = { reference: 'BEFORE', amount: 10 };
    const underKey = { headers: { 'Idempotency-Key': 'rotation-1' } };
    const charged = await hotelClient.call('/payment/v1/create', charge, underKey);
    const link = await hotelClient.link('BEFORE');
    const cookie = await signIn(url);
    const mailed = await consoleLink(url);
    await expect.poll(() => heardOf('BEFORE'), { timeout: PATIENCE_MS }).toContain('/events');

    const sweep = () =>
      fetch(`${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`);
    await sweep();
    await restartWith(`${K2},${K1}`);
    // Everything of before is still good, and the token is that of before.
    const replayed = await hotelClient.call('/payment/v1/create', charge, underKey);
    expect(replayed.json).toEqual(charged.json);
    expect(await opens(link)).toBe(303);
    const page = await fetch(`${url}/ops`, { headers: { Cookie: cookie } });
    expect(await page.text()).toContain('Sign out');
    expect(await enterConsole(url, mailed)).toContain('Sign out');

    await sweep();
    const listed = await new Client(url).call('/admin/v1/keyring/list', {}, { admin: true });
    const stored = listed.json.keys.map(({ key, needs }) => [
      key,
      needs.filter(({ count }) => count !== null).map(({ what }) => what),
    ]);
    expect(stored).toEqual([
      ['local-2', ['pms_password', 'endpoint_secret']],
      ['local-1', []],
    ]);

    await restartWith(K2);
    await sweep();
    // New tokens and links; the PMS's password and the endpoint's secret are those of before.
    const later = new Client(url);
    const health = await (await fetch(`${url}/health`)).json();
    expect(health).toMatchObject({ keys: 'ok', messages: 'delivered', events: 'delivered' });
    expect(await signIn(url)).toMatch(/^ops=local-2\./);
    expect(await enterConsole(url, await consoleLink(url, mailed))).toContain('Sign out');
    expect((await later.call('/booking/v1/list', {})).status).toBe(200);
    const ping = await later.call('/admin/v1/pms/ping', { property: 'rotating' }, { admin: true });
    expect(ping.status).toBe(200);
    const fresh = hotelClient.signedInAgain();
    await fresh.book('AFTER');
    expect(await opens(await fresh.link('AFTER'))).toBe(303);
    await expect
      .poll(() => heardOf('AFTER').toSorted(), { timeout: PATIENCE_MS })
      .toEqual(['/events', '/pms']);
    const [event] = posted.filter(({ path, text }) => path === '/events' && text.includes('AFTER'));
    const headers = event?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(event?.text ?? '', headers)).not.toThrow();
  });
});
