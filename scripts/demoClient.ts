import { styleText } from 'node:util';

/** The number of the last step. */
export interface Steps {
  last: number;
}

/** A client that prints every request and its answer. Any error answer ends the demo. */
export class DemoClient {
  readonly #url: string;
  readonly #steps: Steps;
  #token = '';

  /** Clients that share `steps` number their steps in one sequence. */
  constructor(url: string, steps: Steps = { last: 0 }) {
    this.#url = url;
    this.#steps = steps;
  }

  /** Gets the access token for later requests. */
  async authenticate(title: string, client: { id: string; secret: string }): Promise<void> {
    this.announce(title, 'POST /auth/v1/token', 'grant_type=client_credentials');
    const response = await fetch(`${this.#url}/auth/v1/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const answer = await show(response);
    this.#token = String(answer['access_token']);
  }

  /** Posts JSON and returns the answer. */
  async post(
    title: string,
    path: string,
    body: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    this.announce(title, `POST ${path}`, `${sent.join('')}${JSON.stringify(body, null, 2)}`);
    return show(await this.#send(path, body, headers));
  }

  /** Posts JSON and returns the answer. Prints nothing. */
  async ask(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    return (await (await this.#send(path, body, {})).json()) as Record<string, unknown>;
  }

  #send(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.#token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  /** Prints the next step: its title and its request. */
  announce(title: string, request: string, body = ''): void {
    this.#steps.last += 1;
    console.log(`\n${styleText('bold', `${this.#steps.last}. ${title}`)}\n`);
    console.log(styleText('cyan', `→ ${request}`));
    if (body !== '') console.log(indented(body));
  }
}

async function show(response: Response): Promise<Record<string, unknown>> {
  const answer = (await response.json()) as Record<string, unknown>;
  const replayed = response.headers.has('Idempotency-Replayed') ? '  (replayed)' : '';
  const colour = response.ok ? 'green' : 'red';
  console.log(styleText(colour, `← ${response.status}${replayed}`));
  console.log(indented(JSON.stringify(answer, shortened, 2)));
  if (!response.ok) throw new Error('The demo did not expect this answer.');
  return answer;
}

/** How many entries of a list are printed, and how many more the longest list has that is printed whole. */
const SHOWN = 2;
const MORE = 4;

/** A list that is too long to be read, as its beginning. */
function shortened(_name: string, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= SHOWN + MORE) return value;
  return [...value.slice(0, SHOWN), `… and ${value.length - SHOWN} more`];
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
