/** Parts of plans whose card will have expired by their time: what is told of them, whom the service asks, and when. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { bookingOf, call } from '../support/api.ts';
import { DECLINED, GOOD, OTHER_GOOD } from '../support/cards.ts';
import { monthAhead } from '../support/days.ts';
import { type RecoveryStory, recoveryStory } from '../support/recovery.ts';
import { putUser, signedIn } from '../support/staff.ts';

const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

/** A plan of three parts, two of them ten and forty days after its card has expired; and when the first of those is due. */
async function expiringPlan(story: RecoveryStory, card = GOOD, named = false) {
  const { text, endsAtMs } = monthAhead(2);
  const token = await story.attach(card, text);
  const on = (amount: number, days: number) => ({
    amount,
    due: { anchor: 'date', date: day(endsAtMs + days * DAY_MS) },
  });
  const terms = [on(50, -20), on(100, 10), on(70, 40)];
  const { json } = await story.post('/payment-plan/v1/put', { terms, ...(named && { token }) });
  const dueAtMs = Date.parse(json.plan.parts[1]?.dueAt ?? '');
  // What it foretells changes nothing that a caller sees.
  const { plan } = (await story.post('/payment-plan/v1/get')).json;
  expect({ ...plan, version: json.plan.version }).toEqual(json.plan);
  return { token, planId: json.plan.planId, dueAtMs, askAtMs: dueAtMs - 14 * DAY_MS };
}

async function foretold(story: RecoveryStory) {
  // What is foretold is recorded by the alarm.
  await story.advance((await story.now()) + MINUTE_MS);
  return (await story.health()).map(({ chargeId, partId, problem }) => [chargeId, partId, problem]);
}

describe('a part whose card will have expired', () => {
  it('is foretold; its guest is asked on the right day, and a new card ends that', async () => {
    const story = await recoveryStory();
    const { askAtMs, dueAtMs, planId } = await expiringPlan(story);
    expect(await foretold(story)).toEqual([
      [null, 't2', 'expires_before'],
      [null, 't3', 'expires_before'],
    ]);
    const [problem] = await story.health();
    expect(problem).toMatchObject({ planId, bookingReference: 'R-1', askedAt: null });
    expect(Date.parse(problem?.scheduledTime ?? '')).toBe(dueAtMs);
    const known = await story.health({ reference: 'R-1', to: new Date(dueAtMs + 1).toISOString() });
    expect(known).toEqual([problem]);
    expect(await story.list()).toEqual([]);

    await story.advance(askAtMs - HOUR_MS);
    expect((await story.list()).map(({ partId, status }) => [partId, status])).toEqual([
      ['t1', 'Accepted'],
    ]);
    expect(await story.mails()).toEqual([]);
    await story.advance(askAtMs);
    const [mail, ...more] = await story.mails();
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/AUD\s100\.00/);
    expect(mail?.text).toContain('Visa card ending in 4242 will have expired');
    const { events } = (
      await call('/event/v1/list', { reference: 'R-1', types: ['card.expiring'] }, story.options)
    ).json;
    expect(events.map(({ data }) => data)).toMatchObject([
      { planId, partId: 't2', card: { cardNumber: 'XXXX-XXXX-XXXX-X242' } },
    ]);
    await story.advance(askAtMs + 12 * HOUR_MS);
    expect(await story.mails()).toHaveLength(2);

    const email = `manager@${story.property}.localhost`;
    await putUser({ email, role: 'manager', property: story.property });
    const manager = await signedIn(email);
    const note = 'The card will have expired.';
    const path = `/console/coming?property=${story.property}`;
    expect((await manager.open(path)).html).toContain(note);

    await story.attach(OTHER_GOOD);
    expect(await foretold(story)).toEqual([]);
    expect((await manager.open(path)).html).not.toContain(note);
    await story.advance(dueAtMs + 40 * DAY_MS);
    expect(await story.mails()).toHaveLength(2);
    const paid = (await story.list()).map(({ cardDetails, partId, status }) => [
      partId,
      status,
      cardDetails.cardNumber,
    ]);
    expect(paid).toEqual([
      ['t1', 'Accepted', '4242'],
      ['t2', 'Accepted', '4444'],
      ['t3', 'Accepted', '4444'],
    ]);
    expect(await story.health()).toEqual([]);
  });

  it('is foretold no more once it is paid, or due in time, or its plan is cancelled', async () => {
    const story = await recoveryStory();
    const { dueAtMs } = await expiringPlan(story);
    expect(await foretold(story)).toHaveLength(2);
    await story.post('/payment/v1/create', { amount: 150 });
    expect(await foretold(story)).toEqual([[null, 't3', 'expires_before']]);
    const later = [-20, 10, 50].map((days) => ({
      amount: 200,
      due: { anchor: 'arrival' as const, days },
    }));
    await story.post('/payment-plan/v1/put', { terms: later });
    const before = await foretold(story);
    const arrival = day(dueAtMs + 30 * DAY_MS)
      .split('-')
      .toReversed()
      .join('-');
    await story.post('/booking/v1/create/manage-payments', {
      ...bookingOf('R-1', { email: story.email, arrival, departure: '17-02-2028' }),
    });
    const times = async () => (await story.health()).map(({ scheduledTime }) => scheduledTime);
    expect([before.length, (await foretold(story)).length]).toEqual([3, 3]);
    const { plan } = (await story.post('/payment-plan/v1/get')).json;
    expect(await times()).toEqual(plan.parts.map(({ dueAt }) => dueAt));
    const terms = [{ amount: 400, due: { anchor: 'date', date: day(dueAtMs), days: -30 } }];
    await story.post('/payment-plan/v1/put', { terms });
    expect(await foretold(story)).toEqual([]);
    await expiringPlan(story);
    expect((await foretold(story)).at(-1)).toEqual([null, 't3', 'expires_before']);
    await story.post('/payment-plan/v1/cancel');
    expect(await foretold(story)).toEqual([]);
    await story.advance(dueAtMs + DAY_MS);
    expect(await story.mails()).toEqual([]);
  });

  it('has a plan that names its card go over to the new one, if its guest was asked', async () => {
    const story = await recoveryStory();
    const { askAtMs, dueAtMs } = await expiringPlan(story, GOOD, true);
    await story.attach(OTHER_GOOD);
    expect(await foretold(story)).toHaveLength(2);
    await story.advance(askAtMs);
    expect(await story.mails()).toHaveLength(1);
    await story.attach(OTHER_GOOD);
    await story.advance(dueAtMs + HOUR_MS);
    const cards = (await story.list()).map(({ cardDetails }) => cardDetails.cardNumber);
    expect(cards).toEqual(['4242', '4444']);
  });

  it('has its recovery go on as that of its charge: declined, its guest is asked once more', async () => {
    const story = await recoveryStory();
    const { dueAtMs } = await expiringPlan(story, DECLINED);
    await story.advance(dueAtMs - HOUR_MS);
    const mails = (await story.mails()).length;
    await story.advance(dueAtMs + 5 * DAY_MS);
    const [, second] = (await story.list()).filter(({ status }) => status === 'Declined');
    expect(second?.partId).toBe('t2');
    const problem = (await story.health()).find(({ chargeId }) => chargeId === second?.id);
    expect(problem).toMatchObject({ problem: 'declined' });
    expect(problem).not.toHaveProperty('partId');
    expect((await story.mails()).length).toBeGreaterThan(mails);
  });
});
