/** A stand-in for Stripe's API of webhook endpoints at a socket of this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled_events: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** The largest page that is answered, below Stripe's own 100, so that a list has pages. */
const PAGE = 2;

export class StripeWebhooks {
  readonly endpoints: Endpoint[] = [];
  /** Is told of each change, after it happened and before it is answered. */
  onChange: (change: string) => void = () => undefined;
  readonly #server: Server;
  #made = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds an endpoint, as somebody would in the dashboard. */
  add(url: string): void {
    this.#create(new URLSearchParams({ url, 'enabled_events[0]': '*' }));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method, url = '/' } = request;
    const { pathname, searchParams } = new URL(url, 'http://stripe');
    const params = new URLSearchParams(await text(request));
    const known = /^Bearer (sk|rk)_(test|live)_good/.test(headers.authorization ?? '');
    const [status, body] = known
      ? this.#result(`${method} ${pathname}`, searchParams, params)
      : refused(401, 'Invalid API Key provided');
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  #result(asked: string, search: URLSearchParams, params: URLSearchParams): [number, object] {
    if (asked === 'GET /v1/webhook_endpoints') return [200, this.#list(search)];
    if (asked === 'POST /v1/webhook_endpoints') return this.#create(params);
    const id = /^DELETE \/v1\/webhook_endpoints\/(\w+)$/.exec(asked)?.[1];
    const index = this.endpoints.findIndex((one) => one.id === id);
    if (id === undefined || index === -1) return refused(404, `No such webhook endpoint: '${id}'`);
    this.endpoints.splice(index, 1);
    this.onChange('webhook endpoint deleted');
    return [200, { id, object: 'webhook_endpoint', deleted: true }];
  }

  /** The newest first. Only the answer to a creation has a secret. */
  #list(search: URLSearchParams): object {
    const all = this.endpoints.toReversed();
    const after = all.findIndex(({ id }) => id === search.get('starting_after')) + 1;
    const size = Math.min(PAGE, Number(search.get('limit') ?? 10));
    const data = all.slice(after, after + size).map(shown);
    const url = '/v1/webhook_endpoints';
    return { object: 'list', url, data, has_more: after + size < all.length };
  }

  #create(params: URLSearchParams): [number, object] {
    const entries = [...params];
    const url = params.get('url') ?? '';
    const events = entries.filter(([key]) => key.startsWith('enabled_events'));
    if (!url.startsWith('https://')) return refused(400, 'Invalid URL: must be a public https URL');
    if (events.length === 0) return refused(400, 'Missing required param: enabled_events.');
    this.#made += 1;
    const endpoint = {
      id: `we_${this.#made}`,
      url,
      enabled_events: events.map(([, event]) => event),
      metadata: Object.fromEntries(
        entries.flatMap(([key, value]) => {
          const name = /^metadata\[(\w+)\]$/.exec(key)?.[1];
          return name === undefined ? [] : [[name, value]];
        }),
      ),
      secret: `whsec_${this.#made}`,
    };
    this.endpoints.push(endpoint);
    this.onChange('webhook endpoint');
    return [200, { ...shown(endpoint), secret: endpoint.secret }];
  }
}

function shown({ id, url, enabled_events, metadata }: Endpoint): object {
  const constant = { object: 'webhook_endpoint', status: 'enabled', livemode: true };
  return { ...constant, id, url, enabled_events, metadata };
}

function refused(status: number, message: string): [number, object] {
  return [status, { error: { type: 'invalid_request_error', message } }];
}
