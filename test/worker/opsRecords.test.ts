/** Who signed in to operations, and who mended which message: in the log and in the audit trail. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { callAsAdmin, freshDatabase, makeBooking, testEnv } from '../support/api.ts';
import type { Guest } from '../support/guest.ts';
import { AUDIT } from '../support/history.ts';
import { makeAdmin, signIn } from '../support/ops.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms'] });

let lines: Record<string, unknown>[] = [];

beforeEach(async () => {
  await freshDatabase();
  lines = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
  });
});

const told = (event: string) => lines.filter((line) => line['event'] === event);

/** A booking whose message was given up, and that message. */
async function deadMessage(reference: string): Promise<string> {
  await makeBooking(reference);
  const { results } = await testEnv.DB.prepare(
    "UPDATE outbox SET status = 'Dead', due_at_ms = NULL WHERE booking_reference = ? RETURNING message_id AS id",
  )
    .bind(reference)
    .all<{ id: string }>();
  return results[0]?.id ?? '';
}

/** What the audit trail says of a booking's messages. */
async function trailOf(reference: string) {
  const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference });
  return json.entries.filter(({ subject }) => String(subject).startsWith('message '));
}

const line = (event: string, booking: string, messageId: string, by: string) => ({
  event,
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  property: 'demo',
  booking,
  messageId,
  by,
});

const entry = (messageId: string, actor: string, from: string, to: string) => ({
  at: expect.any(String),
  actor,
  actorName: null,
  subject: `message ${messageId}`,
  from,
  to,
  detail: null,
});

describe.each([
  [
    'the page',
    async (what: string, form: Record<string, string>) => {
      const visitor: Guest = await signIn('mender', 'mender-secret');
      await visitor.post(`/ops/outbox/${what}`, form);
      return visitor.page.status;
    },
    'mender',
  ],
  [
    'the interface',
    async (what: string, body: Record<string, string>) => {
      const path = what === 'dismiss' ? 'dismiss' : 'replay';
      const status = what === 'replay-all' ? { status: 'Dead' } : {};
      return (await callAsAdmin(`/admin/v1/outbox/${path}`, { ...body, ...status })).status;
    },
    'admin',
  ],
] as const)('by %s', (_by, mend, actor) => {
  beforeEach(() => makeAdmin('mender'));

  it('whoever gives a message up is on record', async () => {
    const messageId = await deadMessage('R-1');
    expect(await mend('dismiss', { messageId })).toBe(200);
    expect(told('message_dismissed')).toEqual([line('message_dismissed', 'R-1', messageId, actor)]);
    expect(await trailOf('R-1')).toEqual([entry(messageId, actor, 'Dead', 'Dismissed')]);
  });

  it('whoever sends one again is on record', async () => {
    const messageId = await deadMessage('R-2');
    expect(await mend('replay', { messageId })).toBe(200);
    expect(told('message_replayed')).toEqual([line('message_replayed', 'R-2', messageId, actor)]);
    expect(await trailOf('R-2')).toEqual([entry(messageId, actor, 'Dead', 'Pending')]);
  });

  it('whoever sends all of a property again is on record with each, and once', async () => {
    const ids = [await deadMessage('R-3'), await deadMessage('R-4')] as const;
    await makeBooking('R-5');
    for (let times = 0; times < 2; times += 1) {
      expect(await mend('replay-all', { property: 'demo' })).toBe(200);
    }
    expect(told('message_replayed')).toEqual([
      line('message_replayed', 'R-3', ids[0], actor),
      line('message_replayed', 'R-4', ids[1], actor),
    ]);
    expect(await trailOf('R-3')).toEqual([entry(ids[0], actor, 'Dead', 'Pending')]);
    expect(await trailOf('R-4')).toEqual([entry(ids[1], actor, 'Dead', 'Pending')]);
    expect(await trailOf('R-5')).toEqual([]);
  });

  it('nothing is on record of what was not done', async () => {
    const messageId = await deadMessage('R-6');
    await testEnv.DB.prepare("UPDATE outbox SET status = 'Confirmed' WHERE message_id = ?")
      .bind(messageId)
      .run();
    for (const what of ['dismiss', 'replay']) expect(await mend(what, { messageId })).toBe(409);
    expect([...told('message_dismissed'), ...told('message_replayed')]).toEqual([]);
    expect(await trailOf('R-6')).toEqual([]);
  });
});

describe('a property whose messages are all sent again', () => {
  it('fills no log: a hundred are told, and how many more there are', async () => {
    await deadMessage('MANY');
    await testEnv.DB.prepare(
      `WITH RECURSIVE series(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM series WHERE n < 130)
       INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, created_at_ms)
       SELECT 'demo', 'MANY', 'm' || n, 'PushModification', '{}', 'Dead', 1 FROM series`,
    ).run();
    await callAsAdmin('/admin/v1/outbox/replay', { property: 'demo', status: 'Dead' });
    expect(told('message_replayed')).toHaveLength(101);
    expect(lines.at(-1)).toMatchObject({ property: 'demo', by: 'admin', more: 30 });
    const { results } = await testEnv.DB.prepare(
      `SELECT count(DISTINCT id) AS n FROM ${AUDIT} WHERE subject LIKE 'message %'`,
    ).all();
    expect(results).toEqual([{ n: 130 }]);
  });
});

describe('signing in', () => {
  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);

  it('is on record, and so is who was refused, without what was typed', async () => {
    await signIn();
    await signIn('admin', 'not-the-secret');
    await signIn(seeded.client.id, seeded.client.secret);
    await signIn('my-secret-in-the-wrong-field', 'x');
    expect(told('ops_signed_in')).toEqual([{ event: 'ops_signed_in', requestId, by: 'admin' }]);
    expect(told('ops_sign_in_refused').map(({ by }) => by)).toEqual([
      'admin',
      seeded.client.id,
      'unknown client',
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret/);
  });
});
