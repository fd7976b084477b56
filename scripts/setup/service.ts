/** The deployed service, as its administrator calls it (interface: Administration). */
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeScopes } from '../../src/records/clients/rules/scopes.ts';
import type { Hotel } from './questions.ts';
import { SetupStop } from './stop.ts';

/** How often to look whether the service answers. */
const LOOK_MS = 1_000;

/** A new domain's certificate can take some minutes. */
const MOST_LOOKS = 600;

/** An API client with its secret. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** Whether a configured service answers at the address now. */
export async function answers(address: string): Promise<boolean> {
  const health = await fetch(`${address}/health`).catch(() => null);
  if (health?.status !== 200) return false;
  // The domain may lead elsewhere until now.
  return (await health.text()).includes('"database":"answers"');
}

/** Waits until the service answers. */
export async function untilAnswers(address: string): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    if (await answers(address)) return;
    await sleep(LOOK_MS);
  }
  throw new SetupStop(`${address}/health does not answer 200 yet. Everything is deployed: a new domain
can need more time. Run this again later.`);
}

/** A database, as far as it is read here; `bytes` is null while it does not answer. */
interface Database {
  readonly name: string;
  readonly bytes: number | null;
}

/** A property's move, as far as it is read here. */
export interface Move {
  readonly moveId: string;
  readonly status: string;
  readonly failure: string | null;
  readonly endedAt: string | null;
}

/** An administrator's session with the service. */
export class Administration {
  readonly #address: string;
  readonly #token: string;

  private constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** Signs in. */
  static async signIn(address: string, { id, secret }: Credentials): Promise<Administration> {
    const answer = await fetch(`${address}/auth/v1/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = await read<{ access_token: string }>('sign in', answer);
    return new Administration(address, token);
  }

  /** Creates the hotel's property (interface: Put a property). */
  async putProperty({ code, ...hotel }: Hotel, site: string): Promise<void> {
    await this.#post('/admin/v1/property/put', { ...hotel, property: code, site });
  }

  /** Creates a client of a property that may do everything there. */
  async createClient(property: string): Promise<Credentials> {
    const { clientId, clientSecret } = await this.#post<{ clientId: string; clientSecret: string }>(
      '/admin/v1/client/create',
      { property, scopes: wholeScopes },
    );
    return { id: clientId, secret: clientSecret };
  }

  /** The deployment's first 200 databases (interface: Databases). */
  async databases(): Promise<readonly Database[]> {
    const answer = await this.#post<{ databases: Database[] }>('/admin/v1/database/list', {
      limit: 200,
    });
    return answer.databases;
  }

  /** Begins to move a property to another database. */
  async move(property: string, to: string): Promise<Move> {
    return (await this.#post<{ move: Move }>('/admin/v1/property/move', { property, to })).move;
  }

  /** How far a move is. */
  async moveOf(moveId: string): Promise<Move> {
    return (await this.#post<{ move: Move }>('/admin/v1/property/move-status', { moveId })).move;
  }

  /** Revokes a client. */
  async revoke(clientId: string): Promise<void> {
    await this.#post('/admin/v1/client/revoke', { clientId });
  }

  async #post<T>(route: string, body: object): Promise<T> {
    const answer = await fetch(`${this.#address}${route}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return read<T>(route, answer);
  }
}

async function read<T>(what: string, answer: Response): Promise<T> {
  if (answer.ok) return (await answer.json()) as T;
  throw new SetupStop(
    `The service answered ${answer.status} to “${what}”: ${await answer.text()}\nRun this again.`,
  );
}
