/** Disputes of archived bookings: what is known about them is shown as before, and what answers them finds the booking. */
import { describe, expect, it } from 'vitest';
import { newestPaid, sandboxDesk, tellOfDispute } from '../support/acquirerDesk.ts';
import {
  type Answer,
  attachCard,
  bookingOf,
  call,
  engineToken,
  http,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { archived, pageOf, rowsOf } from '../support/archived.ts';
import { GOOD, OTHER_GOOD } from '../support/cards.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms', 'mails'], freshDatabase: true });

/** A booking with a charge. */
async function paid(reference: string, card = GOOD): Promise<void> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference));
  await attachCard(reference, card);
  const body = { reference, amount: 100, description: 'stay' };
  expect((await call('/payment/v1/create', body)).status).toBe(200);
}

/** A booking whose charge was disputed and won with evidence; the dispute's id. */
async function won(reference: string): Promise<string> {
  await paid(reference);
  const charge = await newestPaid(reference);
  const disputeId = await sandboxDesk.dispute(charge.payment);
  await tellOfDispute(charge, disputeId);
  expect((await submit(disputeId, reference)).status).toBe(200);
  await sandboxDesk.closeDispute(charge.payment, 'won');
  await tellOfDispute(charge, disputeId);
  return disputeId;
}

function submit(disputeId: string, key: string): Promise<Answer> {
  const texts = { uncategorized_text: 'They stayed.' };
  const headers = { 'Idempotency-Key': key };
  return call('/dispute/v1/submit', { disputeId, texts }, { headers });
}

async function pdfOf(disputeId: string): Promise<[number, string]> {
  const headers = { Authorization: `Bearer ${await engineToken()}` };
  const answer = await http(`/dispute/v1/evidence.pdf?disputeId=${disputeId}`, { headers });
  return [answer.status, await answer.text()];
}

describe('a dispute of an archived booking', () => {
  it('has the same evidence, as JSON, as a PDF and in the console', async () => {
    const disputeId = await won('ARC-1');
    const manager = await signedIn();
    const readings = async () => {
      const { json, status } = await call('/dispute/v1/evidence', { disputeId });
      const page = await pageOf(manager, `dispute?dispute=${disputeId}`);
      return [status, JSON.stringify(json), await pdfOf(disputeId), page];
    };
    const before = await readings();
    expect(before[0]).toBe(200);
    await archived();
    expect(await readings()).toEqual(before);
    expect(await rowsOf('ARC-1')).toBe(0);
  });

  it.each(['submit', 'accept'])('brings it back for an answer: %s', async (path) => {
    const disputeId = await won('ARC-2');
    await archived();
    // It was answered before.
    const again = await call(`/dispute/v1/${path}`, { disputeId });
    expect([again.status, again.json.code]).toEqual([409, 'invalid_state']);
    expect(await rowsOf('ARC-2')).toBeGreaterThan(5);
    expect((await call('/dispute/v1/evidence', { disputeId })).status).toBe(200);
    // Once it is back, it can go again.
    await archived();
    expect((await call('/dispute/v1/evidence', { disputeId })).status).toBe(200);
  });

  it('answers a repeated request as it was answered, also where that answer was not kept', async () => {
    const disputeId = await won('ARC-4');
    await archived();
    const kept = await submit(disputeId, 'ARC-4');
    expect([kept.status, kept.json.dispute?.status]).toEqual([200, 'under_review']);
    await archived();
    await testEnv.DB.prepare('UPDATE idempotency_keys SET answer = NULL').run();
    const made = await submit(disputeId, 'ARC-4');
    expect([made.status, made.json.dispute?.status]).toEqual([200, 'won']);
  });

  it('is of its property alone', async () => {
    const disputeId = await won('ARC-3');
    await archived();
    const token = await makeProperty('other', {});
    for (const path of ['evidence', 'submit', 'accept']) {
      const { json, status } = await call(`/dispute/v1/${path}`, { disputeId }, { token });
      expect([status, json.code]).toEqual([404, 'dispute_not_found']);
    }
    expect(await rowsOf('ARC-3')).toBe(0);
  });
});

it('evidence has what the same card paid before in archived bookings', async () => {
  for (const reference of ['EARLY-1', 'EARLY-2']) await paid(reference);
  // Neither another card nor what was disputed.
  await paid('EARLY-3', OTHER_GOOD);
  await won('EARLY-4');
  const disputeId = await won('LATE-1');
  const earlier = async () => {
    const { json } = await call('/dispute/v1/evidence', { disputeId });
    return json.evidence.facts.earlierPayments;
  };
  const before = await earlier();
  expect(before.map((one) => one.bookingReference)).toEqual(['EARLY-2', 'EARLY-1']);
  await archived(5);
  expect(await earlier()).toEqual(before);
  // One of them comes back, then the disputed one itself.
  await call('/payment/v1/create', { reference: 'EARLY-1', amount: 1 });
  expect(await earlier()).toEqual(before);
  await call('/dispute/v1/accept', { disputeId });
  expect(await rowsOf('LATE-1')).toBeGreaterThan(5);
  expect(await earlier()).toEqual(before);
});
