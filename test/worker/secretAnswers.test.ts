/** Operations that make a secret, sent again under their idempotency key: the secret is told again, and made once. */
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import {
  type Answer,
  adminToken,
  atTime,
  call,
  callAsAdmin,
  http,
  makeProperty,
  parsed,
  testEnv,
  tokenOf,
} from '../support/api.ts';
import { breakSpan, loseAnswers } from '../support/faults.ts';
import { story } from '../support/story.ts';

story();

const CLIENT = '/admin/v1/client/create';
const USER = '/admin/v1/export-user/create';

let made = 0;

interface Maker {
  readonly path: string;
  readonly boundary: 'd1.client.save' | 'd1.exportUser.save';
  readonly table: 'clients' | 'export_users';
  /** A body of its own for each number, and another one that is not the same request. */
  readonly body: (number: number) => Record<string, unknown>;
  readonly another: (number: number) => Record<string, unknown>;
  readonly secretOf: (answer: Answer) => string;
}

const makers: Maker[] = [
  {
    path: CLIENT,
    boundary: 'd1.client.save',
    table: 'clients',
    body: () => ({ property: 'demo', scopes: ['bookings'] }),
    another: () => ({ property: 'demo', scopes: ['payments'] }),
    secretOf: ({ json }) => json.clientSecret,
  },
  {
    path: USER,
    boundary: 'd1.exportUser.save',
    table: 'export_users',
    body: (number) => ({ username: `user-${number}` }),
    another: (number) => ({ username: `other-${number}` }),
    secretOf: ({ json }) => json['password'],
  },
];

function freshKey(): string {
  made += 1;
  return `key-${made}`;
}

async function send(path: string, body: unknown, key: string, token?: string): Promise<Answer> {
  return call(path, body, {
    token: token ?? (await adminToken()),
    headers: { 'Idempotency-Key': key },
  });
}

async function count(table: string): Promise<number> {
  return (await testEnv.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n')) ?? 0;
}

const replayed = ({ headers }: Answer) => headers.get('Idempotency-Replayed');

describe.each(makers)('$path', ({ path, boundary, table, body, another, secretOf }) => {
  it('gives the same secret again, also where its answer was lost', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const key = freshKey();
    const wanted = body(made);
    const before = await count(table);
    const mend = loseAnswers(boundary, 1);
    const lost = await send(path, wanted, key);
    mend();
    expect([lost.status, lost.json.code]).toEqual([504, 'outcome_unknown']);
    const told = await send(path, wanted, key);
    const again = await send(path, wanted, key);
    expect([told.status, replayed(told), replayed(again)]).toEqual([200, 'true', 'true']);
    expect(secretOf(told)).toMatch(/^[\w-]{43}$/);
    expect(again.json).toEqual(told.json);
    expect(await count(table)).toBe(before + 1);
  });

  it('makes what never came under the same key', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const key = freshKey();
    const wanted = body(made);
    const before = await count(table);
    const mend = breakSpan(boundary);
    expect((await send(path, wanted, key)).status).toBe(504);
    mend();
    const told = await send(path, wanted, key);
    expect([told.status, replayed(told), await count(table)]).toEqual([200, null, before + 1]);
  });

  it('makes one of many that come at once', async () => {
    const key = freshKey();
    const wanted = body(made);
    const before = await count(table);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(path, wanted, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(secretOf)).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await count(table)).toBe(before + 1);
  });

  it('refuses another request under the key', async () => {
    const key = freshKey();
    const number = made;
    const first = await send(path, body(number), key);
    const before = await count(table);
    const { status, json } = await send(path, another(number), key);
    expect([status, json.code]).toEqual([422, 'idempotency_key_reused']);
    expect(JSON.stringify(json)).not.toContain(secretOf(first));
    expect(await count(table)).toBe(before);
  });

  it('keeps the secret sealed, and the request as a keyed fingerprint only', async () => {
    const key = freshKey();
    const secret = secretOf(await send(path, body(made), key));
    const row = await testEnv.DB.prepare('SELECT * FROM secret_answers WHERE key = ?')
      .bind(key)
      .first();
    expect(row?.['answer_sealed']).toMatch(/^local-1\.[\w-]+$/);
    expect(row?.['fingerprint']).toMatch(/^local-1\.[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('forgets the key after 24 hours, and every secret that is as old', async () => {
    const key = freshKey();
    const number = made;
    const first = await send(path, body(number), key);
    const T = Date.now();
    const within = await atTime(T + DAY_MS - 60_000, () => send(path, body(number), key));
    expect(within.json).toEqual(first.json);
    const after = await atTime(T + DAY_MS + 1_000, () => send(path, another(number), key));
    expect([after.status, replayed(after)]).toEqual([200, null]);
    expect(secretOf(after)).not.toBe(secretOf(first));
    expect(await count(`secret_answers WHERE created_at_ms <= ${T}`)).toBe(0);
  });

  it('makes another one each time without a key', async () => {
    const before = await count('secret_answers');
    const users = await count(table);
    const first = await callAsAdmin(path, body(made + 1_000));
    const second = await callAsAdmin(path, body(made + 1_001));
    expect(secretOf(first)).not.toBe(secretOf(second));
    expect([await count(table), await count('secret_answers')]).toEqual([users + 2, before]);
  });
});

describe('a key', () => {
  it('means something else to each operation', async () => {
    const key = freshKey();
    const client = await send(CLIENT, { property: 'demo', scopes: ['bookings'] }, key);
    const user = await send(USER, { username: `same-${made}` }, key);
    expect([client.status, user.status, replayed(user)]).toEqual([200, 200, null]);
  });

  it('means something else to each administrator', async () => {
    const key = freshKey();
    const body = { property: 'demo', scopes: ['bookings'] };
    const first = await send(CLIENT, body, key);
    const { json } = first;
    await testEnv.DB.prepare(
      `UPDATE clients SET property_id = NULL, scopes = '["admin"]' WHERE id = ?`,
    )
      .bind(json.clientId)
      .run();
    const token = await tokenOf(json.clientId, json.clientSecret);
    const other = await send(CLIENT, body, key, token);
    expect([other.status, replayed(other)]).toEqual([200, null]);
    expect(other.json.clientSecret).not.toBe(json.clientSecret);
  });

  it('is not taken by a request that was refused', async () => {
    const key = freshKey();
    const scopes = ['bookings'];
    const refused = await send(CLIENT, { property: 'not-yet', scopes }, key);
    expect([refused.status, refused.json.code]).toEqual([404, 'property_not_found']);
    await makeProperty('not-yet');
    expect((await send(CLIENT, { property: 'not-yet', scopes }, key)).status).toBe(200);
    const username = `taken-${made}`;
    await callAsAdmin(USER, { username });
    const taken = await send(USER, { username }, key);
    expect([taken.status, taken.json.code]).toEqual([409, 'invalid_state']);
    expect((await send(USER, { username: `free-${made}` }, key)).status).toBe(200);
  });

  it('that is not readable, or holds a card number, is refused', async () => {
    const unreadable = await send(USER, { username: 'unread' }, 'x'.repeat(256));
    expect([unreadable.status, unreadable.json.code]).toEqual([400, 'invalid_request']);
    const card = await send(USER, { username: 'unread' }, '4111111111111111');
    expect([card.status, card.json.errors?.[0]?.field]).toEqual([422, 'Idempotency-Key']);
  });
});

describe('the document', () => {
  it('says that these operations take a key, as of those that move money', async () => {
    const { json } = await parsed(await http('/openapi.json'));
    const headerOf = (path: string) => json.paths[path]?.['post']?.parameters;
    const key = [expect.objectContaining({ in: 'header', name: 'Idempotency-Key' })];
    expect(headerOf('/payment/v1/create')).toEqual(key);
    for (const { path } of makers) {
      expect(headerOf(path)).toEqual(key);
      expect(json.paths[path]?.['post']?.responses['422']).toMatchObject({
        description: expect.stringContaining('idempotency_key_reused'),
      });
    }
  });
});
