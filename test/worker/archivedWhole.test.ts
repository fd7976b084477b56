/** An archived booking that has had a plan, a refund, mails, and a dispute with its evidence. */
import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { newestPaid, sandboxDesk, tellOfDispute } from '../support/acquirerDesk.ts';
import { attachCard, bookingOf, call, callAsAdmin } from '../support/api.ts';
import { archived, dismissMessages, MAILS, pageOf, readings, rowsOf } from '../support/archived.ts';
import { GOOD } from '../support/cards.ts';
import { disbursementsOf, itemsOf } from '../support/disbursements.ts';
import { Guest } from '../support/guest.ts';
import { mailsAreOut } from '../support/mailbox.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms'], freshDatabase: true });

const DEMO = {
  property: 'demo',
  name: 'Demo Property',
  site: 'demo.localhost',
  currency: 'AUD',
  timeZone: 'Australia/Perth',
};

/** The booking; the ids of its charge and of its dispute. */
async function everything(reference: string): Promise<{ chargeId: number; disputeId: string }> {
  const guestMails = { receipts: true, refunds: true };
  const mails = await callAsAdmin('/admin/v1/property/put', { ...DEMO, guestMails });
  expect(mails.status).toBe(200);
  await call('/booking/v1/create/manage-payments', bookingOf(reference));
  const guest = await openedBy(reference);
  expect(guest.page.status).toBe(200);
  await attachCard(reference, GOOD);
  const { json } = await call('/payment/v1/create', { reference, amount: 100 });
  const chargeId = json.transaction.id;
  const paid = await newestPaid(reference);
  await call('/payment/v1/create', { reference, amount: 50 });
  await call('/refund/v1/create', { reference, amount: 20 });
  await chargePartOfPlan(reference);
  const disputeId = await sandboxDesk.dispute(paid.payment);
  await tellOfDispute(paid, disputeId);
  expect((await call('/dispute/v1/submit', { disputeId })).status).toBe(200);
  await sandboxDesk.closeDispute(paid.payment, 'won');
  await tellOfDispute(paid, disputeId);
  await mailsAreOut();
  await dismissMessages();
  return { chargeId, disputeId };
}

/** A plan of two parts, of which one is charged before the plan ends. */
async function chargePartOfPlan(reference: string): Promise<void> {
  const terms = [
    { amount: 200, due: { anchor: 'now', days: 1 } },
    { amount: 30, due: { anchor: 'arrival', days: -7 } },
  ];
  const put = await call('/payment-plan/v1/put', { reference, terms });
  expect([put.status, put.json.code]).toEqual([200, undefined]);
  const to = new Date(Date.now() + 2 * DAY_MS).toISOString();
  await callAsAdmin('/sandbox/v1/clock/advance', { property: 'demo', to });
  const ended = await call('/payment-plan/v1/cancel', { reference });
  expect(ended.json.plan.parts.map(({ status }) => status)).toEqual(['paid', 'void']);
}

/** What was paid out, and of which booking, charge and refund it is. */
async function paidOut(): Promise<string> {
  const all = await disbursementsOf();
  const items = await Promise.all(all.map(({ disbursementId }) => itemsOf(disbursementId)));
  return items
    .flat()
    .map(({ bookingReference, chargeId, refundId, reportingCategory }) =>
      [reportingCategory, 'of', bookingReference, chargeId, refundId].join(' '),
    )
    .join('\n');
}

/** A guest who opens the booking's page. */
async function openedBy(reference: string): Promise<Guest> {
  const { json } = await call('/booking/v1/get-url', { reference });
  const guest = new Guest();
  await guest.open(json.url);
  return guest;
}

it('answers every reading as before, to the byte, archived and brought back', async () => {
  const { chargeId, disputeId } = await everything('ALL-1');
  const manager = await signedIn();
  const all = async () => [
    ...(await readings('ALL-1', chargeId)),
    JSON.stringify((await call('/dispute/v1/evidence', { disputeId })).json),
    await pageOf(manager, 'booking?reference=ALL-1'),
    await pageOf(manager, `dispute?dispute=${disputeId}`),
    await paidOut(),
  ];
  const before = await all();
  expect(before.filter((text) => text.includes('"kind":"receipt"'))).toHaveLength(2);
  for (const what of ['sale', 'refund']) expect(before.at(-1)).toContain(`${what} of ALL-1`);
  await archived();
  expect(await rowsOf('ALL-1')).toBe(0);
  // Lists of mails leave archived bookings out. The evidence and the console have them.
  const fromFile = await all();
  expect(fromFile[MAILS]).toContain('"mails":[]');
  expect(fromFile.with(MAILS, '')).toEqual(before.with(MAILS, ''));
  expect(await rowsOf('ALL-1')).toBe(0);
  // What is refused records nothing, so that all is as it was.
  expect((await call('/dispute/v1/accept', { disputeId })).json.code).toBe('invalid_state');
  expect(await rowsOf('ALL-1')).toBeGreaterThan(5);
  expect(await all()).toEqual(before);
});
