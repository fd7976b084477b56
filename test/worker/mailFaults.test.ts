/** What goes wrong between a payment and its mail: each mail goes out all the same, and once. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { MailDispatch } from '../../src/mails/dispatch.ts';
import * as stub from '../../src/mails/stub.ts';
import { requireConfig } from '../../src/platform/config.ts';
import type { MailOutcome } from '../../src/platform/mail/mail.ts';
import * as mailing from '../../src/platform/mail/send.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD, SLOW } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { faultKinds, wakeAt, withFault } from '../support/faults.ts';
import { mailStates, mailsAreOut, mailsTo, sweepMailsOut } from '../support/mailbox.ts';
import { story } from '../support/story.ts';

story();

const FAILED: MailOutcome = { kind: 'failed', why: 'E_INTERNAL' };

let made = 0;

/** A property that sends receipts for everything, with a booking that has a card. */
async function arrange(details: Record<string, unknown> = {}, cardNumber = GOOD) {
  made += 1;
  const property = `fault-${made}`;
  const reference = `F-${made}`;
  const email = `fault-${made}@hotel.com`;
  const options = { token: await makeProperty(property, { guestMails: { receipts: true } }) };
  const booking = bookingOf(reference, { email, ...details });
  await call('/booking/v1/create/manage-payments', booking, options);
  await attachCard(reference, cardNumber, options);
  return {
    property,
    reference,
    options,
    charge: () => call('/payment/v1/create', { reference, amount: 100 }, options),
    advance: (toMs: number) =>
      callAsAdmin('/sandbox/v1/clock/advance', { property, to: new Date(toMs).toISOString() }),
    states: () => mailStates(property, reference),
    mails: () => mailsTo(email),
  };
}

/** The sender fails so many times for a property's mails, then does what it always does. */
function failingSender(property: string, times: number, failure: MailOutcome = FAILED) {
  const real = mailing.sendMail;
  let failed = 0;
  return vi.spyOn(mailing, 'sendMail').mockImplementation(async (work, mail) => {
    if (mail.fromName !== `Property ${property}`) return real(work, mail);
    failed += 1;
    return failed <= times ? failure : real(work, mail);
  });
}

/** The sweep, and the alarm that it sets, at another time. */
async function sweepAt(property: string, atMs: number): Promise<void> {
  await atTime(atMs, async () => {
    await stub.sweepMails(testEnv, atMs);
    await runDurableObjectAlarm(testEnv.MAILER.getByName(property));
  });
}

describe('a mail whose notification got lost', () => {
  it('is found by the sweep', async () => {
    vi.spyOn(stub, 'notifyMailer').mockResolvedValueOnce();
    const one = await arrange();
    await one.charge();
    expect(await one.states()).toMatchObject([{ kind: 'receipt', status: 'Pending' }]);
    await sweepMailsOut();
    expect(await one.mails()).toHaveLength(1);
  });

  it.each(faultKinds)(
    'goes out once where the outcome was written and the write %s',
    async (kind) => {
      const one = await arrange();
      await withFault({ boundary: 'd1.transaction.apply', nth: 0 }, kind, one.charge);
      const inSomeTime = Date.now() + 2 * MINUTE_MS;
      await wakeAt(one.reference, inSomeTime, one.property);
      await sweepAt(one.property, inSomeTime + MINUTE_MS);
      const [{ status } = { status: null }] = await transactionsOf(one.reference, one.options);
      expect(status).toBe('Accepted');
      expect(await one.mails()).toHaveLength(1);
    },
  );

  it.each(faultKinds)('goes out once where the mail was sent and the record %s', async (kind) => {
    vi.spyOn(stub, 'notifyMailer').mockResolvedValueOnce();
    const one = await arrange();
    await one.charge();
    // The first write puts the mail into the local mailbox, the second one records that it was sent.
    await withFault({ boundary: 'd1.mail.save', nth: 1 }, kind, async () => {
      const object = testEnv.MAILER.getByName(one.property);
      await object.notify(one.property);
      await runDurableObjectAlarm(object);
    });
    for (let times = 0; times < 3; times += 1) await sweepMailsOut();
    expect(await one.mails()).toHaveLength(1);
    for (const state of await one.states()) expect(['Sent', 'Pending']).toContain(state.status);
  });
});

describe('a sender that fails', () => {
  it('is asked again later and later, and takes the mail once', async () => {
    const one = await arrange();
    const beganMs = Date.now();
    await one.advance(beganMs + MINUTE_MS);
    failingSender(one.property, 3);
    await one.charge();
    await eventually(async () => expect(await one.states()).toMatchObject([{ attempts: 1 }]));
    await one.advance(beganMs + DAY_MS);
    expect(await one.states()).toMatchObject([
      { status: 'Sent', attempts: 4, dueAtMs: null, lastError: null },
    ]);
    const [mail, ...others] = await one.mails();
    expect(others).toEqual([]);
    // After 1, 5 and 30 minutes.
    const minutes = (Date.parse(mail?.at ?? '') - beganMs - MINUTE_MS) / MINUTE_MS;
    expect(Math.floor(minutes)).toBe(36);
  });

  it('for days is given up, which is logged without a person', async () => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue();
    const one = await arrange();
    failingSender(one.property, Number.POSITIVE_INFINITY);
    await one.charge();
    await mailsAreOut();
    await one.advance(Date.now() + 2 * DAY_MS);
    expect(await one.states()).toMatchObject([{ status: 'Pending', lastError: 'E_INTERNAL' }]);
    await one.advance(Date.now() + 4 * DAY_MS);
    expect(await one.states()).toMatchObject([{ status: 'Dead', attempts: 9, dueAtMs: null }]);
    const line = logged.mock.calls.flat().find((text) => String(text).includes('mail_not_sent'));
    expect(JSON.parse(String(line))).toMatchObject({
      event: 'mail_not_sent',
      property: one.property,
      booking: one.reference,
      status: 'Dead',
      why: 'E_INTERNAL',
    });
    expect(line).not.toContain('@');
  });

  it('because the address bounces gets no more mail for it', async () => {
    const one = await arrange({ email: 'bounce+guest@hotel.com' });
    await one.charge();
    await mailsAreOut();
    await one.charge();
    await mailsAreOut();
    expect(await one.states()).toMatchObject([
      { status: 'Suppressed', lastError: 'E_RECIPIENT_SUPPRESSED' },
      { status: 'Suppressed', lastError: 'suppressed' },
    ]);
  });

  it('because none is configured goes on trying', async () => {
    const one = await arrange();
    failingSender(one.property, 1, { kind: 'not-configured' });
    await one.charge();
    await mailsAreOut();
    expect(await one.states()).toMatchObject([
      { status: 'Pending', attempts: 1, lastError: 'no sender is configured' },
    ]);
  });
});

describe('a sender that does not answer', () => {
  it('holds up no payment and no other property, and is asked again', async () => {
    const slow = await arrange();
    const other = await arrange();
    const real = mailing.sendMail;
    vi.spyOn(mailing, 'sendMail').mockImplementation(async (work, mail) =>
      mail.fromName === `Property ${slow.property}`
        ? new Promise<never>(() => undefined)
        : real(work, mail),
    );
    vi.spyOn(stub, 'notifyMailer').mockResolvedValueOnce();
    expect((await slow.charge()).status).toBe(200);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const config = await requireConfig(testEnv);
      const run = new MailDispatch(testEnv, config, slow.property).run(() => true);
      expect((await other.charge()).status).toBe(200);
      while ((await other.mails()).length === 0) await scheduler.wait(1);
      while (vi.getTimerCount() === 0) await scheduler.wait(1);
      await vi.advanceTimersByTimeAsync(31_000);
      expect(await run).toMatchObject({ sent: 1 });
    } finally {
      vi.useRealTimers();
    }
    expect(await slow.states()).toMatchObject([{ status: 'Pending', lastError: 'timeout' }]);
  });
});

describe('an advance of the clock', () => {
  it('sends on the way what falls due on the way, by the clock of the property', async () => {
    const one = await arrange();
    // At an hour of the day at which nothing else is due, such as a disbursement.
    const atMs = Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS + 12 * HOUR_MS;
    const time = new Date(atMs).toISOString();
    const { reference } = one;
    await call('/payment/v1/schedule', { reference, amount: 50, time }, one.options);
    const { json } = await one.advance(atMs + HOUR_MS);
    // The charge and its receipt.
    expect(json.fired).toBe(2);
    const [mail] = await one.mails();
    expect(Date.parse(mail?.at ?? '')).toBe(atMs);
  });

  it('may be reset only where no mail lies ahead of real time', async () => {
    const one = await arrange({}, SLOW);
    await one.advance(Date.now() + DAY_MS);
    await one.charge();
    await mailsAreOut();
    const reset = await callAsAdmin('/sandbox/v1/clock/reset', { property: one.property });
    expect(reset.status).toBe(409);
  });
});
