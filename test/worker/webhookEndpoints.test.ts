import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { eventTypes, typesFitting } from '../../src/records/history/rules/eventTypes.ts';
import { atTime, bookingOf, call, callAsAdmin, makeProperty, testEnv } from '../support/api.ts';
import { deliverUntil, listedEvents, PlayedEndpoint, verify } from '../support/endpoint.ts';
import { dispatchersAt } from '../support/pms.ts';

/** Ahead of the real time, so that no alarm rings but when the test lets it. */
const T = Date.now() + 10 * DAY_MS;
let endpoint: PlayedEndpoint;
let token: string;
let made = 0;

beforeEach(async () => {
  made += 1;
  endpoint = new PlayedEndpoint(`endpoint-${made}`);
  dispatchersAt(T);
  token = await atTime(T, () => makeProperty(`owner-${made}`));
});

afterEach(() => {
  endpoint.leave();
  vi.restoreAllMocks();
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  atTime(T, () => call(path, body, { token, headers }));
const put = (body: object, headers?: Record<string, string>) =>
  post('/webhook/v1/put', body, headers);
const save = (reference: string, details: object = {}, atMs = T) =>
  atTime(atMs, () =>
    call('/booking/v1/create/manage-payments', bookingOf(reference, { ...details }), { token }),
  );
const deliver = () => deliverUntil(endpoint.id, T, T + HOUR_MS);

describe('an endpoint', () => {
  it('is made with a secret, shown once, and for all types', async () => {
    const { json, status } = await put({ url: endpoint.url });
    expect(status).toBe(200);
    expect(json.endpoint).toEqual({
      endpointId: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
      url: endpoint.url,
      types: ['*'],
      active: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret: _shown, ...rest } = json.endpoint;
    const listed = await post('/webhook/v1/list', {});
    expect(listed.json).toEqual({ success: true, endpoints: [rest], nextCursor: null });
    const changed = await put({ endpointId: rest.endpointId, types: ['payment.*'] });
    expect(changed.json.endpoint).toEqual({ ...rest, types: ['payment.*'] });
    const inactive = await put({ endpointId: rest.endpointId, active: false });
    expect(inactive.json.endpoint).toEqual({ ...rest, types: ['payment.*'], active: false });
  });

  it('stands in the audit trail with each change, without its secret', async () => {
    const { json } = await put({ url: endpoint.url });
    const { endpointId } = json.endpoint;
    await put({ endpointId, types: ['payment.*'] });
    await post('/webhook/v1/rotate-secret', { endpointId });
    await post('/webhook/v1/delete', { endpointId });
    const audit = await callAsAdmin('/admin/v1/audit/list', { property: `owner-${made}` });
    const { entries } = audit.json;
    const own = entries.filter((entry) => entry['subject'] === `endpoint ${endpointId}`);
    expect(own).toMatchObject([
      { from: null, to: endpoint.url, detail: 'url' },
      { from: null, to: '["*"]', detail: 'types' },
      { from: null, to: 'true', detail: 'active' },
      { from: '["*"]', to: '["payment.*"]', detail: 'types' },
      { from: null, to: 'rotated', detail: 'secret' },
      { from: endpoint.url, to: 'none', detail: 'url' },
      { from: '["payment.*"]', to: 'none', detail: 'types' },
      { from: 'true', to: 'none', detail: 'active' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('whsec_');
  });

  it('is listed for an administrator, by its property alone and in pages, without its secret', async () => {
    const { json: one } = await put({ url: endpoint.url });
    const { json: other } = await put({ url: `${endpoint.url}/2`, types: ['refund.*'] });
    const { json: gone } = await put({ url: `${endpoint.url}/3` });
    await post('/webhook/v1/delete', { endpointId: gone.endpoint.endpointId });
    await atTime(T, () => makeProperty(`neighbour-${made}`));
    const list = (body: object) => callAsAdmin('/admin/v1/webhook/list', body);
    const first = await list({ property: `owner-${made}`, limit: 1 });
    const { nextCursor: cursor } = first.json;
    const second = await list({ property: `owner-${made}`, limit: 1, cursor });
    expect([first.status, second.status, second.json.nextCursor]).toEqual([200, 200, null]);
    const listed = [...first.json.endpoints, ...second.json.endpoints];
    expect(listed).toEqual((await post('/webhook/v1/list', {})).json.endpoints);
    expect(listed.map(({ endpointId }) => endpointId)).toEqual([
      one.endpoint.endpointId,
      other.endpoint.endpointId,
    ]);
    expect(JSON.stringify([first.json, second.json])).not.toContain('whsec_');
    expect((await list({ property: `neighbour-${made}` })).json.endpoints).toEqual([]);
    const strange = await list({ property: `neighbour-${made}`, cursor });
    expect([strange.status, strange.json.errors[0]?.field]).toEqual([422, 'cursor']);
    const none = await list({ property: 'nowhere' });
    expect([none.status, none.json.code]).toEqual([404, 'property_not_found']);
    const refused = await post('/admin/v1/webhook/list', { property: `owner-${made}` });
    expect(refused.status).toBe(403);
  });

  it('keeps its secret sealed', async () => {
    const { json } = await put({ url: endpoint.url });
    const { results } = await testEnv.DB.prepare('SELECT * FROM webhook_endpoints').all();
    expect(JSON.stringify(results)).not.toContain(json.endpoint.secret.slice(6));
  });

  it('gets the same secret again under the same key, made and rotated', async () => {
    const key = { 'Idempotency-Key': `made-${made}` };
    const first = await put({ url: endpoint.url }, key);
    const again = await put({ url: endpoint.url }, key);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await put({ url: `${endpoint.url}/other` }, key)).json.code).toBe(
      'idempotency_key_reused',
    );
    const { endpointId } = first.json.endpoint;
    const rotated = await post('/webhook/v1/rotate-secret', { endpointId }, key);
    expect(rotated.json.endpoint.secret).not.toBe(first.json.endpoint.secret);
    expect((await post('/webhook/v1/rotate-secret', { endpointId }, key)).json).toEqual(
      rotated.json,
    );
    expect((await post('/webhook/v1/list', {})).json.endpoints).toHaveLength(1);
  });

  it.each([
    [{}, 'url'],
    [{ url: 'http://engine.hotel.com/events' }, 'url'],
    [{ url: 'https://10.0.0.1/events' }, 'url'],
    [{ url: 'https://engine.internal/events' }, 'url'],
    [{ url: 'https://user@engine.hotel.com/events' }, 'url'],
    [{ url: 'https://engine.hotel.com:8443/events' }, 'url'],
    [{ url: 'https://engine.hotel.com/events', types: ['payment.acepted'] }, 'types.0'],
    [{ url: 'https://engine.hotel.com/events', types: ['pay?ent.*'] }, 'types.0'],
    [{ url: 'https://engine.hotel.com/events', types: ['*', '*.failed'] }, 'types.1'],
    [{ url: 'https://engine.hotel.com/events', types: ['payment.*.*'] }, 'types.0'],
    [{ url: 'https://engine.hotel.com/events', types: ['**'] }, 'types.0'],
    [{ url: 'https://engine.hotel.com/events', types: ['*'.repeat(51)] }, 'types.0'],
    [{ url: 'https://engine.hotel.com/events', types: ['guest.*'] }, 'types.0'],
    [{ url: 'https://engine.hotel.com/events', types: [] }, 'types'],
  ])('is refused with %j', async (body, field) => {
    const { json, status } = await put(body);
    expect(status).toBe(422);
    expect(json.errors.map((one) => one.field)).toEqual([field]);
  });

  it('is found by its own property alone', async () => {
    const { json } = await put({ url: endpoint.url });
    const { endpointId } = json.endpoint;
    const other = await atTime(T, () => makeProperty(`other-${made}`));
    const paths = ['put', 'delete', 'rotate-secret', 'test', 'deliveries'];
    for (const path of paths) {
      const answer = await call(`/webhook/v1/${path}`, { endpointId }, { token: other });
      expect([path, answer.status, answer.json.code]).toEqual([path, 404, 'endpoint_not_found']);
    }
    const replayed = await call(
      '/webhook/v1/replay',
      { endpointId, from: '2026-01-01T00:00:00Z' },
      { token: other },
    );
    expect(replayed.json.code).toBe('endpoint_not_found');
    const { json: theirs } = await call('/webhook/v1/list', {}, { token: other });
    expect(theirs.endpoints).toEqual([]);
  });

  it('is gone when it is deleted, with what it was to get', async () => {
    await endpoint.subscribe(token);
    await save('DEL-1');
    expect((await post('/webhook/v1/delete', { endpointId: endpoint.id })).status).toBe(200);
    await deliver();
    expect(endpoint.delivered).toEqual([]);
    expect((await post('/webhook/v1/delete', { endpointId: endpoint.id })).status).toBe(404);
    expect((await post('/webhook/v1/list', {})).json.endpoints).toEqual([]);
  });

  it('is one of at most twenty, made at once or one by one', async () => {
    const key = { 'Idempotency-Key': `full-${made}` };
    const at = { url: endpoint.url, active: false };
    const answers = await Promise.all(Array.from({ length: 24 }, () => put(at)));
    const refused = answers.filter(({ json }) => json.code === 'invalid_state');
    expect(refused).toHaveLength(4);
    expect((await put(at, key)).json.code).toBe('invalid_state');
    const { json } = await post('/webhook/v1/list', {});
    expect(json.endpoints).toHaveLength(20);
    await post('/webhook/v1/delete', { endpointId: json.endpoints[0]?.endpointId });
    // A refusal takes no key.
    expect((await put(at, key)).status).toBe(200);
    expect((await put(at, key)).headers.get('Idempotency-Replayed')).toBe('true');
  });
});

describe('types', () => {
  it('fit by patterns: an endpoint gets no others', async () => {
    await endpoint.subscribe(token, { types: ['schedule.*', 'booking.cancelled'] });
    await save('TYPES-1');
    await atTime(T, () =>
      call(
        '/payment/v1/tokenize',
        { reference: 'TYPES-1', cardNumber: '4242424242424242', cardExpiry: '12/2035' },
        { token },
      ),
    );
    const time = new Date(T + DAY_MS).toISOString();
    await post('/payment/v1/schedule', { reference: 'TYPES-1', amount: 10, time });
    await save('TYPES-1', { status: 'cancelled' });
    await deliver();
    const told = endpoint.events();
    expect(told.map(({ type }) => type)).toEqual([
      'schedule.created',
      'booking.cancelled',
      'schedule.cancelled',
    ]);
    expect(told.map(({ data }) => data.sequence)).toEqual([3, 4, 5]);
  });

  it('are compared without patterns of SQLite: what was stored before hinders no change', async () => {
    await endpoint.subscribe(token, { types: ['booking.*'] });
    for (const pattern of ['*'.repeat(51), '[^'.repeat(30)]) {
      await testEnv.DB.prepare(
        'UPDATE webhook_endpoints SET types = ?, version = version + 1 WHERE id = ?',
      )
        .bind(JSON.stringify([pattern]), endpoint.id)
        .run();
      expect((await save(`TYPES-OLD-${pattern.length}`)).status).toBe(200);
    }
  });

  it.each([['*'], ['booking.*'], ['b*'], ['booking.saved']])('%s lists what fits', async (type) => {
    await save('TYPES-2');
    const { json } = await post('/event/v1/list', { types: ['payment.*', type] });
    expect(json.events.map((event) => event.type)).toEqual(['booking.saved']);
  });

  it('are those that begin like a pattern', () => {
    const numbers = [
      '*',
      'payment.*',
      'p*',
      'payment.accepted',
      'payment',
      '*.failed',
      '',
      '**',
    ].map((pattern) => typesFitting([pattern]).length);
    expect(numbers).toEqual([eventTypes.length, 5, 9, 1, 0, 0, 0, 0]);
    expect(typesFitting(['refund.*', 'refund.failed'])).toEqual([
      'refund.refunded',
      'refund.failed',
    ]);
  });
});

describe('a test', () => {
  it('is sent at once, signed, neither listed nor numbered', async () => {
    await endpoint.subscribe(token, { active: false });
    const { json } = await post('/webhook/v1/test', { endpointId: endpoint.id });
    expect(json).toEqual({ success: true, confirmed: true, lastStatus: 204, error: null });
    const [sent] = endpoint.delivered;
    if (!sent) throw new Error('nothing was sent');
    await atTime(T, async () => {
      expect(verify(endpoint.secret, sent)).toMatchObject({
        type: 'webhook.test',
        data: { property: `owner-${made}`, reference: null, sequence: null },
      });
    });
    expect(await atTime(T, () => listedEvents(token))).toEqual([]);
    const { json: listed } = await post('/webhook/v1/deliveries', { endpointId: endpoint.id });
    expect(listed.deliveries).toEqual([]);
  });

  it('tells what went wrong', async () => {
    await endpoint.subscribe(token);
    endpoint.behave = () => new Response('no', { status: 500 });
    const { json } = await post('/webhook/v1/test', { endpointId: endpoint.id });
    expect(json).toMatchObject({ confirmed: false, lastStatus: 500, error: 'HTTP 500' });
  });
});

describe('a rotated secret', () => {
  it('signs with the old one for 24 hours more, then alone', async () => {
    await endpoint.subscribe(token);
    const old = endpoint.secret;
    const { json } = await post('/webhook/v1/rotate-secret', { endpointId: endpoint.id });
    const fresh = json.endpoint.secret;
    await save('ROT-1');
    await deliver();
    const laterMs = T + DAY_MS + HOUR_MS;
    await save('ROT-2');
    await deliverUntil(endpoint.id, laterMs, laterMs + HOUR_MS);
    const [first, second] = endpoint.delivered;
    if (!first || !second) throw new Error('not delivered');
    const count = (delivery: typeof first) =>
      delivery.headers.get('webhook-signature')?.split(' ').length;
    expect([count(first), count(second)]).toEqual([2, 1]);
    await atTime(T, async () => {
      expect(verify(old, first)).toEqual(first.json);
      expect(verify(fresh, first)).toEqual(first.json);
      expect(() => verify('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', first)).toThrow();
      expect(() => verify(fresh, { ...first, text: `${first.text} ` })).toThrow();
    });
    await atTime(laterMs, async () => {
      expect(verify(fresh, second)).toEqual(second.json);
      expect(() => verify(old, second)).toThrow();
    });
  });
});
