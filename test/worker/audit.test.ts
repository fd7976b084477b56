import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { atTime, call, callAsAdmin, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { breakSpan, sweepAfter } from '../support/faults.ts';
import { putUser } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const LIST = '/admin/v1/audit/list';

const list = (reference: string, more: Record<string, unknown> = {}) =>
  callAsAdmin(LIST, { property: 'demo', reference, ...more });

describe(`POST ${LIST}`, () => {
  it('tells every change of state in order: who, what, when, from, to', async () => {
    const token = await makeBooking('A-1', '4000000000009003');
    const charged = await call('/payment/v1/create', { reference: 'A-1', amount: 10 });
    await sweepAfter(2);
    const chargeId = charged.json.transaction.id;
    const refunded = await call('/refund/v1/create', { reference: 'A-1', amount: 1, chargeId });
    await sweepAfter(2);
    const refundId = refunded.json.refunds[0]?.id;
    const { status, json } = await list('A-1');
    expect(status).toBe(200);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const by = { at, actor: 'demo-engine', actorName: null, detail: null };
    const later = { at, actor: 'alarm', actorName: null, detail: null };
    expect(json).toEqual({
      success: true,
      entries: [
        { ...by, subject: 'booking', from: null, to: 'booked' },
        { ...by, subject: `card ${token}`, from: null, to: 'attached' },
        { ...by, subject: `charge ${chargeId}`, from: null, to: 'Processing' },
        { ...later, subject: `charge ${chargeId}`, from: 'Processing', to: 'Accepted' },
        { ...by, subject: `refund ${refundId}`, from: null, to: 'Processing' },
        { ...later, subject: `refund ${refundId}`, from: 'Processing', to: 'Refunded' },
      ],
      nextCursor: null,
    });
  });

  it('comes in pages', async () => {
    await makeBooking('A-2', '4242424242424242');
    for (let amount = 1; amount <= 3; amount += 1) {
      await call('/payment/v1/create', { reference: 'A-2', amount });
    }
    const whole = (await list('A-2')).json.entries;
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = await list('A-2', { limit: 3, ...(cursor !== null && { cursor }) });
      expect(page.json.entries.length).toBeLessThanOrEqual(3);
      paged.push(...page.json.entries);
      cursor = page.json.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(8);
  });

  it.each([
    ['an unknown property', { property: 'nowhere' }, 404, 'property_not_found'],
    ['an unknown booking', { reference: 'NOWHERE' }, 404, 'booking_not_found'],
    ['a cursor that is none', { cursor: 'x' }, 422, 'validation_failed'],
    ['a limit of 0', { limit: 0 }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, change, status, code) => {
    await makeBooking('A-3');
    const answer = await list('A-3', change);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

describe(`POST ${LIST} without a booking`, () => {
  const changes = async (property: string, more: Record<string, unknown> = {}) =>
    (await callAsAdmin(LIST, { property, ...more })).json;

  const hotel = (property: string, details: Record<string, unknown>) =>
    callAsAdmin('/admin/v1/property/put', {
      property,
      name: 'The Hotel',
      site: 'hotel.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      ...details,
    });

  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const by = { at, actor: 'admin', actorName: null };

  it('tells each setting that a property was given, and what it was before', async () => {
    const pms = { url: 'https://pms.hotel.com/', username: 'u', password: 'first' };
    await hotel('kept', { refundLimit: 50, contact: { email: 'desk@hotel.com' }, pms });
    const made = await changes('kept');
    expect(made.entries).toContainEqual({
      ...by,
      subject: 'property',
      detail: 'refundLimit',
      from: null,
      to: '50',
    });
    await hotel('kept', { refundLimit: 80, contact: null, pms });
    await hotel('kept', { refundLimit: null, pms: { ...pms, password: 'second' } });
    await callAsAdmin('/admin/v1/fee-rules/put', {
      property: 'kept',
      rules: [{ basisPoints: 100, method: 'add', maximum: 2.5 }],
    });
    const all = await changes('kept');
    const rules = JSON.stringify([
      { basisPoints: 100, method: 'add', transactionFee: 0, maximum: 2.5 },
    ]);
    expect(all.entries.slice(made.entries.length)).toEqual([
      { ...by, subject: 'property', detail: 'refundLimit', from: '50', to: '80' },
      { ...by, subject: 'property', detail: 'contact.email', from: 'desk@hotel.com', to: 'none' },
      { ...by, subject: 'property', detail: 'refundLimit', from: '80', to: 'none' },
      { ...by, subject: 'property', detail: 'pmsPassword', from: null, to: 'changed' },
      { ...by, subject: 'fee-rules', detail: 'rules', from: '[]', to: rules },
    ]);
    expect(JSON.stringify(all)).not.toMatch(/first|second/);
  });

  it('tells who became what, and when a person moved, at both places', async () => {
    for (const property of ['before', 'after']) await hotel(property, { portfolio: 'moving' });
    const email = 'kim@moving.com';
    await putUser({ email, property: 'before' });
    await putUser({ email, role: 'manager' });
    await putUser({ email, role: 'manager', name: 'Kim Park' });
    await putUser({ email, role: 'manager', name: 'Kim Park' });
    await putUser({ email, role: 'manager', name: 'Kim Park', property: 'after', active: false });
    const ofKim = async (property: string) =>
      (await changes(property)).entries.filter(({ subject }) => subject === `user ${email}`);
    const entry = (detail: string, from: string | null, to: string) => ({
      ...by,
      subject: `user ${email}`,
      detail,
      from,
      to,
    });
    const moved = [
      entry('property', 'before', 'after'),
      entry('active', 'true', 'false'),
      entry('sessions', null, 'ended'),
    ];
    expect(await ofKim('before')).toEqual([
      entry('name', null, 'Kim Lee'),
      entry('role', null, 'cashier'),
      entry('property', null, 'before'),
      entry('active', null, 'true'),
      entry('role', 'cashier', 'manager'),
      entry('name', 'Kim Lee', 'Kim Park'),
      ...moved,
    ]);
    expect(await ofKim('after')).toEqual(moved);
  });

  it('has the people of the property’s portfolio and of all properties, and of no other', async () => {
    await hotel('one', { portfolio: 'pair' });
    await hotel('lone', { portfolio: 'other' });
    await putUser({ email: 'pair@hotel.com', portfolio: 'pair' });
    await putUser({ email: 'all@hotel.com', role: 'admin' });
    const people = async (property: string) =>
      [...new Set((await changes(property)).entries.map(({ subject }) => String(subject)))].filter(
        (subject) => /^user (?:pair|all)@/.test(subject),
      );
    expect([await people('one'), await people('lone')]).toEqual([
      ['user pair@hotel.com', 'user all@hotel.com'],
      ['user all@hotel.com'],
    ]);
  });

  it('is exact where two changes of one person cross', async () => {
    await hotel('crossed', {});
    const email = 'both@crossed.com';
    await putUser({ email, property: 'crossed' });
    await Promise.all(
      ['viewer', 'manager'].map((role) => putUser({ email, property: 'crossed', role })),
    );
    const roles = (await changes('crossed')).entries.filter(
      ({ detail, subject }) => subject === `user ${email}` && detail === 'role',
    );
    // Each began where the one before it had ended.
    expect(roles.map(({ from }) => from)).toEqual([
      null,
      ...roles.slice(0, -1).map(({ to }) => to),
    ]);
    const { json } = await callAsAdmin('/admin/v1/user/list', { property: 'crossed' });
    expect(roles.at(-1)?.to).toBe(json.users[0]?.role);
  });

  it('comes in pages', async () => {
    await hotel('paged', {});
    const whole = (await changes('paged')).entries;
    const first = await changes('paged', { limit: 3 });
    const next = await changes('paged', { limit: 200, cursor: first.nextCursor });
    expect([...first.entries, ...next.entries]).toEqual(whole);
  });

  it('knows no such property', async () => {
    const { json, status } = await callAsAdmin(LIST, { property: 'nowhere' });
    expect([status, json.code]).toEqual([404, 'property_not_found']);
  });
});

describe('POST /admin/v1/operation/resolve', () => {
  /** Resolves an operation when it may be: an hour after it was sent. */
  const resolve = (id: number, outcome: string, reason: unknown = 'the bank says so') =>
    atTime(Date.now() + HOUR_MS, () => resolveNow(id, { outcome, reason }));

  const resolveNow = (id: number, verdict: Record<string, unknown>) =>
    callAsAdmin('/admin/v1/operation/resolve', { id, reason: 'the bank says so', ...verdict });

  async function unknownCharge(reference: string): Promise<number> {
    await makeBooking(reference, '4000000000009102');
    const { json } = await call('/payment/v1/create', { reference, amount: 10 });
    expect(json.transaction.status).toBe('Processing');
    return json.transaction.id;
  }

  it.each(['Accepted', 'Declined', 'Failed'])(
    'settles what the gateway cannot tell: %s',
    async (outcome) => {
      const reference = `O-1 ${outcome}`;
      const id = await unknownCharge(reference);
      const mend = breakSpan('gateway.lookUp');
      const { status, json } = await resolve(id, outcome);
      mend();
      expect([status, json]).toEqual([200, { success: true, id, status: outcome }]);
      await sweepAfter(65, 120);
      expect(await transactionsOf(reference)).toMatchObject([{ id, status: outcome }]);
      const { json: audit } = await list(reference);
      expect(audit.entries.at(-1)).toMatchObject({
        actor: 'admin',
        from: 'Processing',
        to: outcome,
        detail: 'by hand: the bank says so',
      });
    },
  );

  it('waits for an hour after it was sent: it may still be under way', async () => {
    const id = await unknownCharge('O-5');
    const early = await resolveNow(id, { outcome: 'Failed' });
    expect([early.status, early.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf('O-5')).toMatchObject([{ status: 'Processing' }]);
    expect((await resolve(id, 'Failed')).status).toBe(200);
  });

  it('does not accept what the gateway certainly does not have', async () => {
    const id = await unknownCharge('O-7');
    const denied = await resolve(id, 'Accepted');
    expect([denied.status, denied.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf('O-7')).toMatchObject([{ status: 'Processing' }]);
  });

  it('does not accept a payment that was made for another charge', async () => {
    const id = await unknownCharge('O-8');
    await makeBooking('O-8', '4242424242424242');
    const other = await call('/payment/v1/create', { reference: 'O-8', amount: 10 });
    const gatewayReference = await testEnv.DB.prepare(
      'SELECT gateway_reference FROM transactions WHERE id = ?',
    )
      .bind(other.json.transaction.id)
      .first('gateway_reference');
    const mend = breakSpan('gateway.lookUp');
    const denied = await atTime(Date.now() + HOUR_MS, () =>
      resolveNow(id, { outcome: 'Accepted', gatewayReference }),
    );
    mend();
    expect([denied.status, denied.json.code]).toEqual([409, 'invalid_state']);
    expect((await transactionsOf('O-8'))[0]).toMatchObject({ id, status: 'Processing' });
  });

  it('takes no card number for the gateway’s id', async () => {
    const id = await unknownCharge('O-9');
    const body = { outcome: 'Accepted', gatewayReference: '4242424242424242' };
    const { status, json } = await resolveNow(id, body);
    expect([status, json.errors]).toEqual([
      422,
      [expect.objectContaining({ field: 'gatewayReference', code: 'card_number' })],
    ]);
  });

  it('agrees with the gateway where it says the same', async () => {
    await makeBooking('O-6', '4000000000009003');
    const { json } = await call('/payment/v1/create', { reference: 'O-6', amount: 10 });
    const answer = await resolve(json.transaction.id, 'Accepted');
    expect([answer.status, answer.json.status]).toEqual([200, 'Accepted']);
  });

  it('lets the gateway have its word as long as it has one', async () => {
    await makeBooking('O-2', '4000000000009003');
    const { json } = await call('/payment/v1/create', { reference: 'O-2', amount: 10 });
    const { id } = json.transaction;
    const answer = await resolve(id, 'Failed');
    expect([answer.status, answer.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf('O-2')).toMatchObject([{ id, status: 'Accepted' }]);
  });

  it('settles a refund, and gives its amount back when it was not made', async () => {
    await makeBooking('O-3', '4000000000009102');
    const charged = await call('/payment/v1/create', {
      reference: 'O-3',
      amount: 10,
      isVirtualCard: true,
    });
    await sweepAfter(2);
    const refund = () => call('/refund/v1/create', { reference: 'O-3', amount: 10 });
    const first = await refund();
    const answer = await resolve(first.json.refunds[0]?.id ?? 0, 'Failed');
    expect(answer.json).toMatchObject({ success: true, status: 'Failed' });
    const second = await refund();
    expect(second.json.code).toBe('outcome_unknown');
    const mend = breakSpan('gateway.lookUp');
    const accepted = await resolve(second.json.refunds[0]?.id ?? 0, 'Accepted');
    mend();
    expect(accepted.json.status).toBe('Refunded');
    const third = await call('/refund/v1/create', { reference: 'O-3', amount: 1 });
    expect(third.json.code).toBe('refund_exceeds_charge');
    expect(charged.status).toBe(504);
  });

  it('refuses what is settled, what is not there, and a resolution without a reason', async () => {
    await makeBooking('O-4', '4242424242424242');
    const { json } = await call('/payment/v1/create', { reference: 'O-4', amount: 10 });
    const settled = await resolve(json.transaction.id, 'Failed');
    expect([settled.status, settled.json.code]).toEqual([409, 'invalid_state']);
    const missing = await resolve(2, 'Failed');
    expect([missing.status, missing.json.code]).toEqual([404, 'transaction_not_found']);
    expect((await resolve(json.transaction.id, 'Failed', '')).status).toBe(422);
    expect((await resolve(json.transaction.id, 'Perhaps')).status).toBe(422);
  });
});
