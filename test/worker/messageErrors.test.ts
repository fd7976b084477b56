/** Every error at every path of messages tells a PMS what it understands: Status and ErrorMessage. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { messageEndpoints } from '../../src/api/pms/endpoints.ts';
import { createApp } from '../../src/app.ts';
import { type Answer, engineToken, parsed, testEnv, tokenOf } from '../support/api.ts';
import { breakSpan } from '../support/faults.ts';
import { giveRooms } from '../support/rooms.ts';
import { samples } from '../support/samples.ts';
import { story } from '../support/story.ts';

story();

beforeAll(async () => {
  await giveRooms();
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
  readonly token?: string | null;
  readonly env?: object;
}

/** Asks the app itself, so that its bindings can be others. */
async function ask(path: string, { method = 'POST', token, ...sent }: Sent): Promise<Answer> {
  const authorization = token === undefined ? await engineToken() : token;
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(authorization !== null && { Authorization: `Bearer ${authorization}` }),
      ...sent.headers,
    },
    ...(sent.body !== undefined && { body: sent.body }),
  });
  return parsed(await createApp().fetch(request, { ...testEnv, ...sent.env }));
}

function expectTold({ headers, json }: Answer, path: string): void {
  expect(headers.get('Content-Type')).toBe('application/problem+json');
  expect(json).toMatchObject({
    success: false,
    Status: 'Error',
    ErrorMessage: json.detail,
    TimeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    instance: path,
    requestId: headers.get('X-Request-Id'),
  });
  expect(json.ErrorMessage.length).toBeGreaterThan(0);
}

const paths = messageEndpoints.map(({ path }) => path);

describe.each(paths)('an error at %s', (path) => {
  const sample = () => samples[path]?.body({} as never) ?? {};
  const body = () => JSON.stringify(sample());
  const limits = (name: string) => ({ [name]: { limit: async () => ({ success: false }) } });

  const cases: [string, number, string, () => Promise<Sent> | Sent][] = [
    ['broken JSON', 400, 'malformed_json', () => ({ body: '{"MessageID":' })],
    ['no body', 400, 'malformed_json', () => ({})],
    ['text that is not UTF-8', 400, 'malformed_json', () => ({ body: new Uint8Array([0xff]) })],
    ['a list', 400, 'invalid_request', () => ({ body: '[]' })],
    ['no credentials', 401, 'unauthorized', () => ({ token: null, body: body() })],
    ['a bad token', 401, 'unauthorized', () => ({ token: 'nonsense', body: body() })],
    [
      'bad credentials',
      401,
      'unauthorized',
      () => ({
        token: null,
        body: JSON.stringify({
          ...sample(),
          Authentication: { Username: 'pms-user', Password: 'wrong' },
        }),
      }),
    ],
    [
      'another scope',
      403,
      'insufficient_scope',
      async () => ({ token: await tokenOf('demo-engine', 'demo-secret', 'cards'), body: body() }),
    ],
    ['GET', 405, 'method_not_allowed', () => ({ method: 'GET' })],
    ['PUT', 405, 'method_not_allowed', () => ({ method: 'PUT', body: body() })],
    ['DELETE', 405, 'method_not_allowed', () => ({ method: 'DELETE' })],
    ['too large a body', 413, 'body_too_large', () => ({ body: ' '.repeat(8_388_609) })],
    [
      'a form',
      415,
      'unsupported_media_type',
      () => ({ headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: 'x' }),
    ],
    [
      'another type of message',
      422,
      'validation_failed',
      () => ({ body: JSON.stringify({ ...sample(), MessageType: 'Nonsense' }) }),
    ],
    [
      'no MessageID',
      422,
      'validation_failed',
      () => ({ body: JSON.stringify({ ...sample(), MessageID: undefined }) }),
    ],
    [
      'too many requests',
      429,
      'rate_limited',
      () => ({ body: body(), env: limits('CLIENT_RATE_LIMIT') }),
    ],
    ['a setting that is missing', 503, 'not_configured', () => ({ env: { KEYRING: '' } })],
  ];

  it.each(cases)('for %s is %i %s', async (_name, status, code, make) => {
    const answer = await ask(path, await make());
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expectTold(answer, path);
  });

  it('for too many guesses is 429', async () => {
    const message = { ...sample(), Authentication: { Username: 'nobody', Password: 'x' } };
    const answer = await ask(path, {
      token: null,
      body: JSON.stringify(message),
      env: limits('GUESS_RATE_LIMIT'),
    });
    expect([answer.status, answer.json.code]).toEqual([429, 'rate_limited']);
    expectTold(answer, path);
  });

  it('for a fault of our own is 500 or says to try again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(testEnv.DB, 'batch').mockRejectedValue(new Error('injected'));
    const Authentication = { Username: 'pms-user', Password: 'pms-pass' };
    const mend = breakSpan('d1.pms.find');
    const answer = await ask(path, {
      token: null,
      body: JSON.stringify({ ...sample(), Authentication }),
    });
    mend();
    expect([answer.status, answer.json.code]).toEqual([503, 'busy']);
    expectTold(answer, path);
  });

  it('below it is 404, and so are paths beside it', async () => {
    const beside = path.replace(/[^/]+$/, 'nonsense');
    for (const wrong of [`${path}/x`, `${path}/`, beside, `/${path.split('/')[1]}`]) {
      for (const method of ['POST', 'GET']) {
        const answer = await ask(wrong, { method, ...(method === 'POST' && { body: body() }) });
        expect([wrong, answer.status, answer.json.code]).toEqual([wrong, 404, 'not_found']);
        expectTold(answer, wrong);
      }
    }
  });

  it('does not depend on the case of the path', async () => {
    const answer = await ask(path.toUpperCase(), { method: 'GET' });
    expect(answer.status).toBe(405);
    expectTold(answer, path.toUpperCase());
  });
});

describe('an error elsewhere', () => {
  it.each(['/roomsy/v1/push', '/payment/v1/nonsense', '/'])(
    'at %s has nothing of the envelope',
    async (path) => {
      const { json } = await ask(path, { method: 'POST', body: '{}' });
      expect(json.success).toBe(false);
      expect(json).not.toHaveProperty('Status');
      expect(json).not.toHaveProperty('ErrorMessage');
    },
  );
});
