/** The client id and secret of a booking engine. */
export interface EngineCredentials {
  readonly id: string;
  readonly secret: string;
}

/** How long before its end a token is replaced. */
const MARGIN_MS = 60_000;

/** Calls the service with an access token, and gets a new one in time. */
export class EngineClient {
  readonly #base: string;
  readonly #credentials: EngineCredentials;
  #token = '';
  #untilMs = 0;

  constructor(base: string, credentials: EngineCredentials) {
    this.#base = base;
    this.#credentials = credentials;
  }

  /** Posts JSON and returns the answer. Throws on any refusal. */
  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await this.#currentToken()}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  async #currentToken(): Promise<string> {
    if (Date.now() < this.#untilMs) return this.#token;
    const { id, secret } = this.#credentials;
    const response = await fetch(`${this.#base}/auth/v1/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    if (!response.ok) throw new Error(`no token: ${response.status}`);
    const token = (await response.json()) as { access_token: string; expires_in: number };
    this.#token = token.access_token;
    this.#untilMs = Date.now() + token.expires_in * 1_000 - MARGIN_MS;
    return this.#token;
  }
}
