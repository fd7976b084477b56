/** Asking a guest, and charging the new card: one effect, wherever the service is cut off (interface: Recovery). */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sweepMails } from '../../src/mails/stub.ts';
import type { SpanName } from '../../src/platform/trace.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { LOST_CARD, OTHER_GOOD } from '../support/cards.ts';
import {
  type Crossed,
  type FaultKind,
  faultKinds,
  loseAlarm,
  placesOf,
  spansOf,
  sweepFrom,
  wakeAt,
  withFault,
} from '../support/faults.ts';
import { mailbox } from '../support/mailbox.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms'] });

beforeAll(async () => {
  const { status } = await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    cardRecovery: SETTINGS,
  });
  expect(status).toBe(200);
});

/** A booking whose schedule is declined for good at a time an hour from now. */
async function waiting(reference: string): Promise<number> {
  const email = `${reference}@hotel.com`;
  await call('/booking/v1/create/manage-payments', bookingOf(reference, { email }));
  await tokenize(reference, LOST_CARD);
  const atMs = Math.ceil((Date.now() + HOUR_MS) / 1000) * 1000;
  const time = new Date(atMs).toISOString();
  const made = await call('/payment/v1/schedule', { reference, amount: 100, time });
  expect(made.status).toBe(200);
  return atMs;
}

function tokenize(reference: string, cardNumber: string) {
  return call('/payment/v1/tokenize', { reference, cardNumber, cardExpiry: '12/2040' });
}

async function mailsTo(reference: string): Promise<number> {
  const all = await mailbox();
  return all.filter(({ to }) => to === `${reference}@hotel.com`).length;
}

/** A booking's recoveries, each with the statuses of its reminders. */
async function askedOf(reference: string) {
  const { results } = await testEnv.DB.prepare(
    `SELECT asked, ended_as AS ended, (
       SELECT group_concat(status) FROM mails m
       WHERE m.property_id = r.property_id AND m.booking_reference = r.booking_reference AND kind = 'cardRecovery'
     ) AS reminders
     FROM recoveries r WHERE property_id = 'demo' AND booking_reference = ?`,
  )
    .bind(reference)
    .all();
  return results;
}

/** Sends what is due of mails, as the sweep and the alarm that it sets do. */
async function sendMailsAt(atMs: number): Promise<void> {
  await atTime(atMs, async () => {
    await sweepMails(testEnv, atMs);
    await runDurableObjectAlarm(testEnv.MAILER.getByName('demo'));
  });
}

/** What the acquirer took of a booking's card, and what of it our records have as accepted. */
async function taken(reference: string) {
  const entries = await ledgerOf(reference);
  const all = await transactionsOf(reference);
  return {
    there: entries.filter(({ status, kind }) => status === 'succeeded' && kind === 'charge').length,
    here: all.filter(({ status }) => status === 'Accepted').length,
    open: all.filter(({ status }) => status === 'Processing').length,
  };
}

const name = (what: string, kind: FaultKind, { index }: Crossed) =>
  `${what}-${kind}-${index}`.replaceAll(' ', '-');

/** The crossings that belong to a recovery: what comes before is told in faults.test.ts. */
function ofRecovery(crossed: readonly Crossed[], first: SpanName): Crossed[] {
  return crossed.slice(crossed.findIndex(({ boundary }) => boundary === first));
}

describe.each(faultKinds)('cut off by %s', (kind) => {
  it('while the guest is asked, and the mail sent: asked once, and reminded once', async () => {
    const ask = async (reference: string, atMs: number) => {
      await wakeAt(reference, atMs);
      await sendMailsAt(atMs);
    };
    const clean = `ask-${kind}`.replaceAll(' ', '-');
    const cleanMs = await waiting(clean);
    const crossed = await spansOf(() => ask(clean, cleanMs));
    expect(await askedOf(clean)).toEqual([{ asked: 1, ended: null, reminders: 'Sent' }]);
    expect(await mailsTo(clean)).toBe(1);

    const wrong: unknown[] = [];
    for (const one of placesOf(kind, ofRecovery(crossed, 'd1.transaction.apply'), 8)) {
      const reference = name('ask', kind, one);
      const atMs = await waiting(reference);
      await withFault(one, kind, () => ask(reference, atMs));
      await loseAlarm(reference);
      await sweepFrom(atMs, 2, 2, 6);
      for (const minutes of [11, 20, 60]) await sendMailsAt(atMs + minutes * MINUTE_MS);
      const mails = await mailsTo(reference);
      const asked = await askedOf(reference);
      const isRight =
        mails === 1 &&
        JSON.stringify(asked) === JSON.stringify([{ asked: 1, ended: null, reminders: 'Sent' }]);
      if (!isRight) wrong.push({ ...one, mails, asked });
    }
    expect(wrong).toEqual([]);
  });

  it('while a new card is attached and charged: charged once, or not attached', async () => {
    const clean = `answer-${kind}`.replaceAll(' ', '-');
    await wakeAt(clean, await waiting(clean));
    const crossed = await spansOf(() => tokenize(clean, OTHER_GOOD));
    expect(await taken(clean)).toEqual({ there: 1, here: 1, open: 0 });

    const wrong: unknown[] = [];
    for (const one of placesOf(kind, ofRecovery(crossed, 'gateway.tokenize'), 16)) {
      const reference = name('answer', kind, one);
      const atMs = await waiting(reference);
      await wakeAt(reference, atMs);
      await withFault(one, kind, () => tokenize(reference, OTHER_GOOD));
      await loseAlarm(reference);
      const nowMs = Math.max(Date.now(), atMs);
      await sweepFrom(nowMs, 2, 2, 6, 6);
      // A guest who does not know whether it worked adds the card again: two cards, one charge.
      await tokenize(reference, OTHER_GOOD);
      await sweepFrom(nowMs + 20 * MINUTE_MS, 2, 6);
      const money = await taken(reference);
      const [recovery] = await askedOf(reference);
      const isRight = money.there === 1 && money.here === 1 && money.open === 0;
      if (!isRight || recovery?.['ended'] !== 'answered') wrong.push({ ...one, money, recovery });
    }
    expect(wrong).toEqual([]);
  });
});

it('two cards at once are charged once', async () => {
  const reference = 'TWO-TABS';
  await wakeAt(reference, await waiting(reference));
  await Promise.all([tokenize(reference, OTHER_GOOD), tokenize(reference, '4242424242424242')]);
  expect(await taken(reference)).toEqual({ there: 1, here: 1, open: 0 });
});

it('the schema takes one charge in place of a declined one at a time', async () => {
  const reference = 'TWICE';
  await wakeAt(reference, await waiting(reference));
  await tokenize(reference, OTHER_GOOD);
  const columns = await testEnv.DB.prepare('SELECT name FROM pragma_table_info(?)')
    .bind('transactions')
    .all<{ name: string }>();
  const names = columns.results.map((column) => column.name);
  const values = names.map((column) => {
    if (column === 'id') return 'id + 1';
    if (column === 'status') return "'Processing'";
    if (column === 'pending_operation') return "'charge'";
    if (column === 'due_at_ms') return '1';
    if (column === 'reference') return "'0' || substr(reference, 2)";
    if (column === 'gateway_key') return "'0' || substr(gateway_key, 2)";
    if (column === 'gateway_reference') return 'NULL';
    return column;
  });
  const again = testEnv.DB.prepare(
    `INSERT INTO transactions (${names.join()}) SELECT ${values.join()} FROM transactions
     WHERE booking_reference = ? AND replaces_charge IS NOT NULL`,
  ).bind(reference);
  await expect(again.run()).rejects.toThrow('stale_state');
});
