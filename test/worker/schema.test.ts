import { beforeAll, describe, expect, it } from 'vitest';
import { call, makeBooking, testEnv } from '../support/api.ts';
import { AUDIT } from '../support/history.ts';

let chargeId: number;

beforeAll(async () => {
  await makeBooking('SCHEMA', '4242424242424242');
  const charged = await call('/payment/v1/create', { reference: 'SCHEMA', amount: 10 });
  chargeId = charged.json.transaction.id;
  await testEnv.DB.batch(
    [
      `INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor, fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms)
       VALUES ('demo', 'dp_1', 'SCHEMA', ${chargeId}, 'won', 'general', 'AUD', 100, 0, 0, 1, 1, 1)`,
      `INSERT INTO exceptions (id, gateway, kind, subject, found_at_ms, status, resolution, resolved_at_ms, detail)
       VALUES ('e-1', 'sandbox', 'unknown_payment', 's-1', 1, 'closed', 'accepted', 1, 'known')`,
      `INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, status, due_at_ms, created_at_ms)
       VALUES ('sent', 'demo', 'SCHEMA', 'receipt', 'payment.accepted', 'charge', '1', 'Sent', NULL, 1),
         ('waiting', 'demo', 'SCHEMA', 'refund', 'refund.refunded', 'refund', '1', 'Pending', 1, 1)`,
      `INSERT INTO settings_changes (place, id, at_ms, actor, subject, to_state, detail)
       VALUES ('demo', 1, 1, 'admin', 'property', 'Etc/UTC', 'timeZone')`,
      `INSERT INTO recoveries (transaction_id, property_id, booking_reference, cause, charge_at_ms, card_token, due_at_ms, created_at_ms, changed_at_ms)
       VALUES (${chargeId}, 'demo', 'SCHEMA', 'declined', 1, 'c', 1, 1, 1)`,
      `INSERT INTO cards (token, property_id, gateway, gateway_token, brand, last4, masked, expiry_month, expiry_year, entered_by, created_at_ms, removed_at_ms)
       VALUES ('lent', 'demo', 'sandbox', 'v1', 'visa', '4242', 'X242', 12, 2030, 'guest', 1, NULL),
         ('removed', 'demo', 'sandbox', 'v2', 'visa', '4242', 'X242', 12, 2030, 'guest', 1, 1)`,
      copyOfCharge({
        id: 'id + 1',
        reference: "'r1'",
        gateway_key: 'NULL',
        kind: "'schedule'",
        status: "'Pending'",
        card_token: "'lent'",
        due_at_ms: '1',
        scheduled_at_ms: '1',
        pending_operation: 'NULL',
        asked_at_ms: 'NULL',
      }),
      ...disputedCharges(),
    ].map((statement) => testEnv.DB.prepare(statement)),
  );
});

/** What D1 says to a statement that no code of the service would send. */
async function refusal(statement: string): Promise<string> {
  return testEnv.DB.prepare(statement)
    .run()
    .then(
      () => 'accepted',
      (error: Error) => error.message,
    );
}

const change = (what: string) =>
  `UPDATE transactions SET ${what}, version = version + 1 WHERE id = ${chargeId}`;

const recovery = (what: string) => `UPDATE recoveries SET ${what}, version = version + 1`;

/** Every column of a transaction that has no default. */
const COLUMNS = `
  id property_id booking_reference reference kind purpose status currency requested_minor
  transaction_fee_minor card_fee_minor amount_minor virtual_card card_token gateway gateway_key
  due_at_ms booking_version property_version fee_basis_points card_named pending_operation
  asked_at_ms scheduled_at_ms created_at_ms`;

const copyOfCharge = (columns: Record<string, string>) => {
  const names = COLUMNS.trim().split(/\s+/);
  const fresh: Record<string, string> = {
    id: 'id + 2',
    reference: "'r2'",
    gateway_key: "'r2-1'",
    ...columns,
  };
  const values = names.map((name) => fresh[name] ?? name);
  return `INSERT INTO transactions (${names.join(', ')}) SELECT ${values.join(', ')} FROM transactions WHERE id = ${chargeId}`;
};

/** The columns of an entry that has an event and a movement. */
const ENTRY = `
  property_id booking_reference at_ms actor subject_kind subject_id type event_number event_sequence
  event_salt snapshot charge_id movement currency amount_minor fee_minor`;

/** Another entry like the one that is found, with other columns. */
const entryLike = (found: string, columns: Record<string, string>) => {
  const names = ENTRY.trim().split(/\s+/);
  const values = names.map((name) => columns[name] ?? name);
  return `INSERT INTO history (sequence, ${names.join(', ')}) SELECT 1000, ${values.join(', ')} FROM history WHERE ${found} LIMIT 1`;
};

const refundOf = (columns: Record<string, string>) => {
  const values: Record<string, string> = {
    id: '3',
    transaction_id: String(chargeId),
    property_id: "'demo'",
    booking_reference: "'SCHEMA'",
    reference: "'f1'",
    command_reference: "'f1'",
    status: "'Processing'",
    amount_minor: '1',
    currency: "'AUD'",
    created_at_ms: '1',
    ...columns,
  };
  return `INSERT INTO refunds (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).join(', ')})`;
};

/** What a charge can be disputed by, with its distance to the first charge. */
const disputed = {
  lost: { after: 5, status: 'lost', withdrawn: 0 },
  withdrawn: { after: 6, status: 'under_review', withdrawn: 1 },
  inquiry: { after: 7, status: 'needs_response', withdrawn: 0 },
} as const;

function* disputedCharges(): Iterable<string> {
  for (const { after, status, withdrawn } of Object.values(disputed)) {
    yield copyOfCharge({
      id: `id + ${after}`,
      reference: `'r${after}'`,
      gateway_key: `'r${after}-1'`,
    });
    yield `INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor, fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms)
       VALUES ('demo', 'dp_${after}', 'SCHEMA', ${chargeId + after}, '${status}', 'general', 'AUD', 100, 0, ${withdrawn}, 1, 1, 1)`;
  }
}

/** A refund of a disputed charge. */
const refundOfDisputed = (which: keyof typeof disputed, columns: Record<string, string> = {}) => {
  const { after } = disputed[which];
  const reference = `'f${after}'`;
  const named = { id: String(after), reference, command_reference: reference };
  return refundOf({ transaction_id: String(chargeId + after), ...named, ...columns });
};

const underWay = (columns: Record<string, string>) =>
  copyOfCharge({
    status: "'Processing'",
    pending_operation: "'charge'",
    due_at_ms: '1',
    ...columns,
  });

describe('the schema refuses', () => {
  it.each([
    [
      'a charge whose parts are not its amount',
      () => copyOfCharge({ amount_minor: 'amount_minor + 1' }),
      'CHECK',
    ],
    [
      'a charge of nothing',
      () => copyOfCharge({ requested_minor: '0', amount_minor: 'card_fee_minor' }),
      'CHECK',
    ],
    [
      'a negative fee',
      () => copyOfCharge({ card_fee_minor: '-1', amount_minor: 'requested_minor - 1' }),
      'CHECK',
    ],
    ['a state that charges have not', () => copyOfCharge({ status: "'Authorized'" }), 'CHECK'],
    ['a charge under way without a key', () => underWay({ gateway_key: 'NULL' }), 'CHECK'],
    [
      'a charge under way that nobody looks at again',
      () => underWay({ due_at_ms: 'NULL' }),
      'CHECK',
    ],
    ['a key of another charge', () => copyOfCharge({ gateway_key: "'other-1'" }), 'CHECK'],
    [
      'the same reference twice',
      () => copyOfCharge({ reference: 'reference', gateway_key: 'gateway_key' }),
      'stale_state',
    ],
    ['the same id twice', () => copyOfCharge({ id: 'id' }), 'UNIQUE'],
    [
      'a charge decided on an older booking',
      () => copyOfCharge({ booking_version: 'booking_version - 1' }),
      'stale_state',
    ],
    [
      'a charge decided on older fees',
      () => copyOfCharge({ property_version: 'property_version - 1' }),
      'stale_state',
    ],
    [
      'a charge of no booking',
      () => copyOfCharge({ booking_reference: "'NOWHERE'" }),
      'stale_state',
    ],
    ['a way out of a final state', () => change("status = 'Processing'"), 'illegal_transition'],
    ['settling a second time', () => change("status = 'Accepted'"), 'illegal_transition'],
    ['refunds above the amount', () => change('refund_reserved_minor = amount_minor + 1'), 'CHECK'],
    ['refunds below zero', () => change('refund_reserved_minor = -1'), 'CHECK'],
    [
      'a change decided on an older row',
      () => `UPDATE transactions SET description = 'x' WHERE id = ${chargeId}`,
      'stale_state',
    ],
    ['another booking for a charge', () => change("booking_reference = 'OTHER'"), 'fixed_column'],
    [
      'a recovery changed behind its version',
      () => 'UPDATE recoveries SET due_at_ms = 2',
      'stale_state',
    ],
    ['another time for a recovered charge', () => recovery('charge_at_ms = 2'), 'fixed_column'],
    ['a reminder without a deadline', () => recovery('asked = 1, asked_for_cause = 1'), 'CHECK'],
    [
      'an end of a recovery that is due',
      () => recovery("ended_at_ms = 1, ended_as = 'paid'"),
      'CHECK',
    ],
    [
      'another charge to be replaced by one that was made',
      () => change('replaces_charge = 1'),
      'fixed_column',
    ],
    [
      'a booking changed behind its version',
      () => "UPDATE bookings SET last_name = 'x'",
      'stale_state',
    ],
    [
      'another currency for a booking',
      () => "UPDATE bookings SET currency = 'USD', version = version + 1",
      'fixed_column',
    ],
    [
      'another currency for a property with bookings',
      () => "UPDATE properties SET currency = 'USD' WHERE id = 'demo'",
      'currency_in_use',
    ],
    [
      'the removal of a card that a schedule needs',
      () => "UPDATE cards SET removed_at_ms = 1 WHERE token = 'lent'",
      'stale_state',
    ],
    [
      'a charge that names a removed card',
      () => copyOfCharge({ card_named: '1', card_token: "'removed'" }),
      'stale_state',
    ],
    ['a card number for a mask', () => "UPDATE cards SET masked = '4242424242424242'", 'CHECK'],
    [
      'a correction to a state that no acquirer corrects to',
      () => change("status = 'Declined', corrected_at_ms = 1"),
      'illegal_transition',
    ],
    [
      'a capture decided on older terms of the property',
      () => change('property_version = property_version - 1'),
      'stale_state',
    ],
    [
      'a booking changed under older terms of the property',
      () => 'UPDATE bookings SET property_version = 999, version = version + 1',
      'stale_state',
    ],
    [
      'a refund decided on older terms of the property',
      () => refundOf({ property_version: '999' }),
      'stale_state',
    ],
    [
      'a refund of a charge that was lost to a dispute',
      () => refundOfDisputed('lost'),
      'stale_state',
    ],
    [
      'a refund of a charge whose funds are withdrawn for a dispute',
      () => refundOfDisputed('withdrawn'),
      'stale_state',
    ],
    [
      'a changed entry of the history',
      () => 'UPDATE history SET amount_minor = amount_minor + 1',
      'append_only',
    ],
    [
      'a changed entry that is marked, too',
      () => "UPDATE history SET reconciled_at_ms = 1, detail = 'x'",
      'append_only',
    ],
    ['a deleted entry of the history', () => 'DELETE FROM history', 'append_only'],
    [
      'a charge that is taken twice',
      () => entryLike("movement = 'charge'", { event_number: 'event_number + 1000' }),
      'taken_twice',
    ],
    [
      'a refund that brings money',
      () => entryLike("movement = 'charge'", { movement: "'refund'" }),
      'CHECK',
    ],
    [
      'an event that shows nothing',
      () => entryLike("type = 'payment.accepted'", { snapshot: 'NULL' }),
      'CHECK',
    ],
    [
      'two events of one number',
      () => entryLike("type = 'payment.accepted'", { movement: 'NULL', amount_minor: 'NULL' }),
      'UNIQUE',
    ],
    [
      'a dispute changed behind its version',
      () => "UPDATE disputes SET status = 'lost'",
      'stale_state',
    ],
    [
      'another charge for a dispute',
      () => 'UPDATE disputes SET transaction_id = 1, version = version + 1',
      'fixed_column',
    ],
    [
      'an accepted exception that is opened again',
      () => "UPDATE exceptions SET status = 'open', resolution = NULL, resolved_at_ms = NULL",
      'illegal_transition',
    ],
    [
      'a mail that is sent a second time',
      () => "UPDATE mails SET status = 'Pending', due_at_ms = 1 WHERE id = 'sent'",
      'illegal_transition',
    ],
    [
      'a sent mail that is due',
      () => "UPDATE mails SET status = 'Sent' WHERE id = 'waiting'",
      'CHECK',
    ],
    [
      'another booking for a mail',
      () => "UPDATE mails SET booking_reference = 'OTHER' WHERE id = 'waiting'",
      'fixed_column',
    ],
    [
      'a changed change of settings',
      () => "UPDATE settings_changes SET actor = 'nobody'",
      'append_only',
    ],
    ['a deleted change of settings', () => 'DELETE FROM settings_changes', 'append_only'],
  ])('%s', async (_name, statement, word) => {
    expect(await refusal(statement())).toContain(word);
  });

  it('nothing that is right', async () => {
    expect(await refusal(copyOfCharge({}))).toBe('accepted');
    expect(
      await refusal(underWay({ id: 'id + 4', reference: "'r4'", gateway_key: "'r4-1'" })),
    ).toBe('accepted');
    expect(await refusal(change('refund_reserved_minor = amount_minor'))).toBe('accepted');
    expect(await refusal(refundOf({}))).toBe('accepted');
    expect(await refusal(refundOfDisputed('inquiry'))).toBe('accepted');
    // What the acquirer gave back itself is recorded all the same.
    expect(await refusal(refundOfDisputed('lost', { origin: "'gateway'" }))).toBe('accepted');
    // A movement is reconciled once.
    const reconciled = `UPDATE history SET reconciled_at_ms = 1 WHERE charge_id = ${chargeId} AND movement = 'charge'`;
    expect(await refusal(reconciled)).toBe('accepted');
    expect(await refusal(reconciled)).toContain('append_only');
  });
});

describe('the audit', () => {
  it('holds each change of a charge in order, with who made it', async () => {
    const { results } = await testEnv.DB.prepare(
      `SELECT actor, subject, from_state, to_state FROM ${AUDIT} WHERE booking_reference = ? ORDER BY id`,
    )
      .bind('SCHEMA')
      .all();
    const subject = `charge ${chargeId}`;
    const actor = 'demo-engine';
    expect(results).toEqual([
      { actor, subject: 'booking', from_state: null, to_state: 'booked' },
      { actor, subject: expect.stringMatching(/^card /), from_state: null, to_state: 'attached' },
      { actor, subject, from_state: null, to_state: 'Processing' },
      { actor, subject, from_state: 'Processing', to_state: 'Accepted' },
    ]);
  });
});
