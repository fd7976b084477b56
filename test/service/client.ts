/** A booking engine's view of a running service, for the tests that start one. */
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { seeded } from '../../scripts/seed.ts';
import type { AnswerBody, LedgerBody, TransactionBody } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { scratchFolder } from './scratch.ts';

export interface Answer {
  readonly status: number;
  readonly json: AnswerBody;
}

/** A state folder of its own, removed by `remove`. */
export function stateFolder(): { path: string; remove: () => void } {
  const folder = mkdtempSync(path.join(scratchFolder(), 'state-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The newest link with this path that was mailed to somebody; waits until there is one, and another than `before`. With
 * `isThere: false`, it may be empty.
 */
export async function mailedLink(
  url: string,
  to: string,
  path: string,
  { before = '', isThere = true } = {},
): Promise<string> {
  return eventually(async () => {
    const answer = await fetch(`${url}/dev/mailbox`, { headers: { Accept: 'application/json' } });
    const { messages } = (await answer.json()) as { messages: { to: string; text: string }[] };
    const texts = messages.filter((one) => one.to === to).map(({ text }) => text);
    const links = texts.flatMap((text) => text.match(/https?:\/\/\S+/g) ?? []);
    const link = links.find((one) => one.includes(path)) ?? '';
    if (!isThere || (link !== '' && link !== before)) return link;
    throw new Error(`${to} got no link`);
  }, 100);
}

/** For one request: a service closes a connection that waits for long, perhaps while the next request is on its way. */
export const ALONE = { Connection: 'close' };

/** What a client proves itself with. */
interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** Talks to a service as a property's booking engine, the seeded one unless said otherwise. */
export class Client {
  readonly #url: string;
  readonly #engine: Credentials;
  readonly #tokens = new Map<string, Promise<string>>();

  constructor(url: string, engine: Credentials = seeded.client) {
    this.#url = url;
    this.#engine = engine;
  }

  /** Makes a property, and a client for it that may do everything. */
  async property(property: string, details: object): Promise<Client> {
    const put = await this.call(
      '/admin/v1/property/put',
      {
        property,
        name: `Property ${property}`,
        site: `${property}.localhost`,
        currency: 'AUD',
        timeZone: 'Australia/Perth',
        ...details,
      },
      { admin: true },
    );
    if (put.status !== 200) throw new Error(`no property: ${JSON.stringify(put.json)}`);
    const scopes = ['bookings', 'payments', 'cards', 'inventory', 'events'];
    const made = await this.call('/admin/v1/client/create', { property, scopes }, { admin: true });
    return new Client(this.#url, { id: made.json.clientId, secret: made.json.clientSecret });
  }

  /** The same client without the tokens that it has. */
  signedInAgain(): Client {
    return new Client(this.#url, this.#engine);
  }

  /** Posts JSON as the property's booking engine, or as the administrator. */
  async post(
    route: string,
    body: unknown,
    options: { admin?: boolean; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const token = await this.#token(options.admin ? seeded.admin : this.#engine);
    return fetch(`${this.#url}${route}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...ALONE,
        ...options.headers,
      },
      body: JSON.stringify(body),
    });
  }

  /** Posts like {@link post}, and reads the answer. */
  async call(...sent: Parameters<Client['post']>): Promise<Answer> {
    const response = await this.post(...sent);
    return { status: response.status, json: (await response.json()) as AnswerBody };
  }

  /** Makes a booking of 600.00 without a card. */
  async book(reference: string, details: object = {}): Promise<void> {
    await this.call('/booking/v1/create/manage-payments', {
      reference,
      arrival: '14-02-2027',
      departure: '17-02-2027',
      status: 'booked',
      email: 'guest@hotel.com',
      lastName: 'Nguyen',
      totalCost: 600,
      firstNightCost: 200,
      ...details,
    });
  }

  /** The link to a booking's payment page. */
  async link(reference: string): Promise<string> {
    return (await this.call('/booking/v1/get-url', { reference })).json.url;
  }

  /** Makes a booking with a card. */
  async booking(reference: string, cardNumber: string, details: object = {}): Promise<void> {
    await this.book(reference, details);
    const card = { reference, cardNumber, cardExpiry: '12/2030', cvv: '123' };
    const { status } = await this.call('/payment/v1/tokenize', card);
    if (status !== 200) throw new Error(`the card was not taken: ${status}`);
  }

  /** The booking's transactions. */
  async transactions(reference: string): Promise<TransactionBody[]> {
    return (await this.call('/payment/v1/transaction', { reference })).json.transactions;
  }

  /** What the acquirer recorded for the booking. */
  async ledger(reference: string): Promise<LedgerBody[]> {
    return (await this.call('/sandbox/v1/ledger', { reference }, { admin: true })).json.operations;
  }

  #token({ id, secret }: Credentials): Promise<string> {
    const known = this.#tokens.get(id);
    if (known) return known;
    const fresh = fetch(`${this.#url}/auth/v1/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}`, ...ALONE },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }).then(async (response) => ((await response.json()) as { access_token: string }).access_token);
    this.#tokens.set(id, fresh);
    return fresh;
  }
}
