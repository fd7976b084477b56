/** Keys of `KEYRING` come and go: what is sealed is sealed again by itself, and what nobody can decrypt waits. */
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { readConfig } from '../../src/platform/config.ts';
import { Keyring } from '../../src/platform/crypto/keyring.ts';
import { seal, unseal } from '../../src/platform/crypto/seal.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { listKeys } from '../../src/records/keyring/needs.ts';
import { sweepKeyring } from '../../src/records/keyring/sweep.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  http,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { deliverUntil, PlayedEndpoint } from '../support/endpoint.ts';
import { faultKinds, spansOf, withFault } from '../support/faults.ts';
import { dispatchersAt, dispatchUntil, PlayedPms } from '../support/pms.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

const K1 = testEnv.KEYRING ?? '';
const K2 = `k2:${btoa('2'.repeat(32))}`;
const K3 = `k3:${btoa('3'.repeat(32))}`;
const OWN = K1.slice(0, K1.indexOf(':'));

/** Ahead of real time, so that no alarm rings but when the test lets it. */
const T = Date.now() + 10 * DAY_MS;

/** Runs the sweep as a deployment with these keys would. */
async function sweepWith(keys: string, nowMs = T): Promise<void> {
  const config = await readConfig(testEnv);
  if (!config.ok) throw new Error(config.error);
  await sweepKeyring(testEnv, { ...config.value, keyring: await Keyring.parse(keys) }, nowMs);
}

async function needsOf(keys: string, nowMs = T) {
  const listed = await listKeys(
    new Database(testEnv.DB, new Trace()),
    await Keyring.parse(keys),
    nowMs,
  );
  return new Map(listed.map(({ key, status, needs }) => [key, { status, needs }]));
}

/** What is stored under a key, without what is stored nowhere. */
async function storedUnder(keys: string): Promise<Record<string, unknown>> {
  const counted = [...(await needsOf(keys))].map(([key, { needs }]) => [
    key,
    Object.fromEntries(
      needs.filter(({ count }) => count !== null).map(({ what, count }) => [what, count]),
    ),
  ]);
  return Object.fromEntries(counted);
}

/** An endpoint with a secret from before its rotation. */
async function makeEndpoint(): Promise<string> {
  const url = 'https://engine.hotel.com/events';
  const { json } = await call('/webhook/v1/put', { url });
  const { endpointId } = json.endpoint;
  await call('/webhook/v1/rotate-secret', { endpointId });
  return endpointId;
}

async function sealedTexts(endpointId: string): Promise<(string | null)[]> {
  const row = await testEnv.DB.prepare(
    'SELECT p.pms_password_sealed AS a, e.secret_sealed AS b, e.previous_secret_sealed AS c FROM properties p JOIN webhook_endpoints e ON e.property_id = p.id WHERE e.id = ?',
  )
    .bind(endpointId)
    .first<Record<string, string>>();
  const all = await Keyring.parse(`${K3},${K2},${K1}`);
  return [
    await unseal(all, 'pms-credentials', 'demo', row?.['a'] ?? ''),
    await unseal(all, 'webhook-secret', endpointId, row?.['b'] ?? ''),
    await unseal(all, 'webhook-secret', endpointId, row?.['c'] ?? ''),
  ];
}

const health = async (nowMs: number) =>
  atTime(nowMs, async (): Promise<Record<string, unknown>> => (await http('/health')).json());

describe('a new key in front', () => {
  it('gets all that is sealed, so that the old key can go', async () => {
    const endpointId = await makeEndpoint();
    const before = await sealedTexts(endpointId);
    await sweepWith(K1);
    expect(await storedUnder(K1)).toEqual({ [OWN]: { pms_password: 1, endpoint_secret: 2 } });
    await sweepWith(`${K2},${K1}`);
    expect(await storedUnder(`${K2},${K1}`)).toEqual({
      k2: { pms_password: 1, endpoint_secret: 2 },
      [OWN]: {},
    });
    expect(await sealedTexts(endpointId)).toEqual(before);
    expect(before).not.toContain(null);
    await sweepWith(K2, T + MINUTE_MS);
    expect((await health(T + MINUTE_MS))['keys']).toBe('ok');
  });

  it('is looked for each minute while an earlier one is in use, and each hour after that', async () => {
    const keyring = await Keyring.parse(`${K2},${K1}`);
    const sweep = async (nowMs: number) => {
      const config = await readConfig(testEnv);
      if (config.ok) await sweepKeyring(testEnv, { ...config.value, keyring }, nowMs);
    };
    const underOld = async () => (await storedUnder(`${K2},${K1}`))[OWN];
    await sweep(T);
    expect(await underOld()).toEqual({});
    // Nothing is left now: this finds the keyring at rest.
    await sweep(T + MINUTE_MS);
    await makeEndpoint();
    await sweep(T + 2 * MINUTE_MS);
    expect(await underOld()).toEqual({ endpoint_secret: 2 });
    await sweep(T + MINUTE_MS + HOUR_MS);
    expect(await underOld()).toEqual({});
  });

  it('leaves the old one what is stored nowhere, for as long as that lives', async () => {
    await sweepWith(K1);
    await sweepWith(`${K2},${K1}`);
    const whatAt = async (nowMs: number) =>
      (await needsOf(`${K2},${K1}`, nowMs)).get(OWN)?.needs.map(({ what }) => what);
    expect(await whatAt(T)).toEqual([
      'access_token',
      'session',
      'shift',
      'sign_in_link',
      'quote',
      'secret_answer',
      'idempotency_key',
      'guest_link',
    ]);
    expect(await whatAt(T + 2 * HOUR_MS)).toEqual([
      'shift',
      'secret_answer',
      'idempotency_key',
      'guest_link',
    ]);
    expect(await whatAt(T + 31 * DAY_MS)).toEqual(['guest_link']);
    expect(await whatAt(T + 733 * DAY_MS)).toEqual([]);
    const first = (await needsOf(`${K2},${K1}`)).get('k2');
    expect(first?.status).toBe('first');
    expect(first?.needs.every(({ until }) => until === null)).toBe(true);
  });

  it('does not go over what is put meanwhile', async () => {
    const details = {
      property: 'demo',
      name: 'Demo Property',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      pms: { url: 'http://127.0.0.1:8790/pms', username: 'pms-user', password: 'another' },
    };
    const put = () => callAsAdmin('/admin/v1/property/put', details);
    // Right after the sweep has read what it is to seal again.
    const { subtle } = crypto;
    const encrypt = subtle.encrypt.bind(subtle);
    let isPut = false;
    vi.spyOn(subtle, 'encrypt').mockImplementation(async (...sealed) => {
      if (!isPut) {
        isPut = true;
        await put();
      }
      return encrypt(...sealed);
    });
    await sweepWith(`${K2},${K1}`);
    const row = await testEnv.DB.prepare(
      "SELECT pms_password_sealed AS sealed FROM properties WHERE id = 'demo'",
    ).first<{ sealed: string }>();
    const all = await Keyring.parse(`${K2},${K1}`);
    expect(await unseal(all, 'pms-credentials', 'demo', row?.sealed ?? '')).toBe('another');
  });

  it('loses nothing by a crash anywhere, and ends with the next sweep', async () => {
    const endpointId = await makeEndpoint();
    const before = await sealedTexts(endpointId);
    const spans = await spansOf(() => sweepWith(`${K2},${K1}`));
    let [next, last] = [`${K3},${K2}`, `${K2},${K3}`];
    for (let place = 0; place < spans.length; place += 1) {
      for (const kind of faultKinds) {
        await withFault(place, kind, () => sweepWith(next).catch(() => null));
        expect(await sealedTexts(endpointId)).toEqual(before);
        await sweepWith(next);
        const [first = '', ...others] = Object.entries(await storedUnder(next))
          .filter(([, stored]) => Object.keys(stored as object).length > 0)
          .map(([key]) => key);
        expect([first, others]).toEqual([next.slice(0, 2), []]);
        [next, last] = [last, next];
      }
    }
  });
});

describe('a key that is missing', () => {
  const sealWithLost = async (id: string, purpose: 'pms-credentials' | 'webhook-secret') =>
    seal(await Keyring.parse(K3), purpose, id, 'whsec_AAAA');
  const update = (sql: string, ...values: string[]) =>
    testEnv.DB.prepare(sql)
      .bind(...values)
      .run();

  it('is a value of the health check and a line of the log, until it is back', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await update(
      'UPDATE properties SET pms_password_sealed = ?, version = version + 1 WHERE id = ?',
      await sealWithLost('demo', 'pms-credentials'),
      'demo',
    );
    await sweepWith(K1);
    expect((await health(T))['keys']).toBe('missing');
    const { json } = await callAsAdmin('/admin/v1/keyring/list', {});
    expect(json.keys.find(({ key }) => key === 'k3')).toEqual({
      key: 'k3',
      status: 'missing',
      needs: expect.arrayContaining([{ what: 'pms_password', count: 1, until: null }]),
    });
    expect(warn.mock.calls.flat().join()).toContain(
      '{"event":"key_missing","key":"k3","records":1}',
    );
    await sweepWith(`${K1},${K3}`, T + MINUTE_MS);
    expect((await health(T + MINUTE_MS))['keys']).toBe('ok');
  });

  it('makes messages wait: none is given up, and they go out when the key is back', async () => {
    const pms = new PlayedPms('keyless');
    dispatchersAt(T);
    const token = await atTime(T, () => makeProperty('keyless', { pms: pms.settings }));
    const sealed = await testEnv.DB.prepare(
      "SELECT pms_password_sealed AS password FROM properties WHERE id = 'keyless'",
    ).first<{ password: string }>();
    const put = (password: string) =>
      update(
        "UPDATE properties SET pms_password_sealed = ?, version = version + 1 WHERE id = 'keyless'",
        password,
      );
    await put(await sealWithLost('keyless', 'pms-credentials'));
    await atTime(T, () =>
      call('/booking/v1/create/manage-payments', bookingOf('WAITS'), { token }),
    );
    await dispatchUntil(pms.url, T, T + 2 * HOUR_MS);
    const { json } = await callAsAdmin('/admin/v1/outbox/list', { property: 'keyless' });
    expect(json.messages).toMatchObject([{ status: 'Pending', attempts: 0 }]);
    await put(sealed?.password ?? '');
    await dispatchUntil(pms.url, T + 2 * HOUR_MS, T + 3 * HOUR_MS);
    expect(pms.types()).toEqual(['PushBooking']);
    pms.leave();
  });

  it('makes deliveries wait: none is given up, and they go out when the key is back', async () => {
    const endpoint = new PlayedEndpoint('keyless');
    dispatchersAt(T);
    const token = await atTime(T, () => makeProperty('keyless'));
    await atTime(T, () => endpoint.subscribe(token));
    const sealed = await testEnv.DB.prepare(
      'SELECT secret_sealed AS secret FROM webhook_endpoints WHERE id = ?',
    )
      .bind(endpoint.id)
      .first<{ secret: string }>();
    const put = (secret: string) =>
      update(
        'UPDATE webhook_endpoints SET secret_sealed = ?, version = version + 1 WHERE id = ?',
        secret,
        endpoint.id,
      );
    await put(await sealWithLost(endpoint.id, 'webhook-secret'));
    await atTime(T, () =>
      call('/booking/v1/create/manage-payments', bookingOf('WAITS'), { token }),
    );
    await deliverUntil(endpoint.id, T, T + 2 * HOUR_MS);
    const body = { endpointId: endpoint.id };
    const { json } = await atTime(T, () => call('/webhook/v1/deliveries', body, { token }));
    expect(json.deliveries).toMatchObject([{ status: 'Pending', attempts: 0 }]);
    await put(sealed?.secret ?? '');
    await deliverUntil(endpoint.id, T + 2 * HOUR_MS, T + 3 * HOUR_MS);
    expect(endpoint.types()).toEqual(['booking.saved']);
    endpoint.leave();
  });
});
