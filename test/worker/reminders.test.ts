/** The mail that asks a guest for another card, from the step that queues it to the sender (interface: Recovery). */
import { describe, expect, it, vi } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import * as stub from '../../src/mails/stub.ts';
import type { MailOutcome } from '../../src/platform/mail/mail.ts';
import * as mailing from '../../src/platform/mail/send.ts';
import { call, testEnv } from '../support/api.ts';
import { ASKS_GUEST, GOOD, LOST_CARD, OTHER_GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { mailStates } from '../support/mailbox.ts';
import { type RecoveryStory, recoveryStory } from '../support/recovery.ts';
import { story } from '../support/story.ts';

story();

/** A schedule that is declined for good in an hour. */
async function declinedSoon() {
  const story = await recoveryStory();
  await story.attach(LOST_CARD);
  const atMs = Math.ceil((Date.now() + HOUR_MS) / 1000) * 1000;
  const chargeId = await story.schedule(atMs);
  return { story, atMs, chargeId };
}

/** The sender takes no mail of a property until it is told to. Returns the ids of the mails that it is offered. */
function brokenSender({ property }: RecoveryStory) {
  const real = mailing.sendMail;
  const offered: (string | null)[] = [];
  let isBroken = true;
  vi.spyOn(mailing, 'sendMail').mockImplementation(async (work, mail) => {
    if (mail.fromName !== `Property ${property}`) return real(work, mail);
    offered.push(mail.id);
    return isBroken ? { kind: 'failed', why: 'E_INTERNAL' } : real(work, mail);
  });
  return {
    offered,
    mend: () => {
      isBroken = false;
    },
  };
}

const statesOf = ({ property, reference }: RecoveryStory) => mailStates(property, reference);

/** Does what is due of a story's booking, as its alarm does. */
const wake = ({ property: propertyId, reference }: RecoveryStory) =>
  bookingObject(testEnv, propertyId, reference).wake({
    propertyId,
    reference,
    requestId: 'test',
    actor: 'sweep',
  });

describe('a sender that does not answer', () => {
  it('holds up no payment of the booking whose guest is asked', async () => {
    const story = await recoveryStory();
    const vaulted = { cardNumber: GOOD, cardExpiry: '12/2040' };
    const { json } = await call('/payment/v1/tokenize', vaulted, story.options);
    await story.attach(ASKS_GUEST);
    const answer = Promise.withResolvers<MailOutcome>();
    const sender = vi.spyOn(mailing, 'sendMail').mockReturnValue(answer.promise);
    expect((await story.post('/payment/v1/create', { amount: 100 })).status).toBe(402);
    const woken = wake(story);
    while (sender.mock.calls.length === 0) await scheduler.wait(1);
    const paid = await story.post('/payment/v1/create', { amount: 40, token: json.card.token });
    expect(paid.status).toBe(200);
    answer.resolve({ kind: 'sent' });
    await woken;
  });
});

describe('a sender that fails', () => {
  it('gets the reminder again under the same id, and the guest gets it once', async () => {
    const { story, atMs, chargeId } = await declinedSoon();
    const sender = brokenSender(story);
    await story.advance(atMs + 10 * MINUTE_MS);
    expect(await story.mails()).toEqual([]);
    expect(await statesOf(story)).toMatchObject([
      { kind: 'cardRecovery', subject: `charge ${chargeId}`, status: 'Pending', attempts: 3 },
    ]);
    sender.mend();
    await story.advance(atMs + HOUR_MS);
    const id = `${chargeId}-1-cardRecovery`;
    expect(sender.offered).toEqual([id, id, id, id]);
    expect(await story.mails()).toHaveLength(1);
    expect(await statesOf(story)).toMatchObject([{ status: 'Sent', attempts: 4 }]);
  });

  it('until the next reminder gets that one alone', async () => {
    const { story, atMs } = await declinedSoon();
    const sender = brokenSender(story);
    // Halfway to the deadline of a day.
    await story.advance(atMs + 12 * HOUR_MS);
    sender.mend();
    await story.advance(atMs + 23 * HOUR_MS);
    expect((await statesOf(story)).map(({ status }) => status).toSorted()).toEqual([
      'Dropped',
      'Sent',
    ]);
    expect(await story.mails()).toHaveLength(1);
    expect(new Set(sender.offered).size).toBe(2);
  });

  it('until the deadline sends nothing after it', async () => {
    const { story, atMs } = await declinedSoon();
    const sender = brokenSender(story);
    await story.advance(atMs + 24 * HOUR_MS);
    expect(await story.events('recovery')).toEqual(['recovery.flagged']);
    sender.mend();
    await story.advance(atMs + 96 * HOUR_MS);
    expect((await statesOf(story)).map(({ status }) => status)).toEqual(['Dropped', 'Dropped']);
    expect(await story.mails()).toEqual([]);
  });

  it('until another card was charged sends nothing after that', async () => {
    const { story, atMs } = await declinedSoon();
    const sender = brokenSender(story);
    await story.advance(atMs);
    await story.attach(OTHER_GOOD);
    sender.mend();
    await story.advance(atMs + HOUR_MS);
    expect(await statesOf(story)).toMatchObject([{ status: 'Dropped' }]);
    expect(await story.mails()).toEqual([]);
  });
});

describe('the mailer', () => {
  it.each([
    ['is notified once of a schedule that fires and brings a receipt', { receipts: true }, 1],
    ['is not notified of a schedule that fires and brings no mail', null, 0],
  ])('%s, however many turns of the booking follow', async (_name, guestMails, times) => {
    const settings = { cardRecovery: null, property: { guestMails } };
    const { property, reference, ...story } = await recoveryStory(settings);
    await story.attach(GOOD);
    const atMs = Math.ceil((Date.now() + HOUR_MS) / 1000) * 1000;
    await story.schedule(atMs);
    const notified = vi.spyOn(stub, 'notifyMailer').mockResolvedValue();
    await wakeAt(reference, atMs, property);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Accepted']);
    expect(notified).toHaveBeenCalledTimes(times);
  });
});
