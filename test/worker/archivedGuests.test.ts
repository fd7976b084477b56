/** The pages of a guest whose booking is archived: they show what they showed, and what acts brings the booking back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/core/time.ts';
import { atTime, call, makeBooking, transactionsOf } from '../support/api.ts';
import { archived, rowsOf } from '../support/archived.ts';
import { GOOD } from '../support/cards.ts';
import { take } from '../support/console.ts';
import { Guest, linkTo, openCardForm, typedCard, visit } from '../support/guest.ts';
import { mailStates } from '../support/mailbox.ts';
import { disagreements } from '../support/oracle.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails'], freshDatabase: true });

const NAME = 'ARC-GUEST';

let chargeId: number;
let link: string;
let guest: Guest;

/** A stay with a payment and a rest, whose guest has its page open. */
beforeEach(async () => {
  await makeBooking(NAME, GOOD);
  const charged = await call('/payment/v1/create', { reference: NAME, amount: 100 });
  chargeId = charged.json.transaction.id;
  link = await linkTo(NAME);
  guest = await visit(NAME);
});

/** Archives the booking. */
async function stowed(): Promise<void> {
  await archived();
  expect(await rowsOf(NAME)).toBe(0);
}

/** A page without what each one has anew. */
function shown({ page }: Guest): string {
  return page.html
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
    .replaceAll(/nonce="[^"]*"/g, '');
}

const homeOf = ({ page }: Guest) => page.path.split(/[?#]/)[0] ?? '';

describe('an archived booking’s guest', () => {
  it('sees the pages as before, by the links of before and by new ones, and brings nothing back', async () => {
    const home = homeOf(guest);
    const paths = [home, `${home}/all`, `${home}/receipt/${chargeId}`, `${home}/card`];
    const before: string[] = [];
    for (const path of paths) {
      await guest.open(path);
      before.push(shown(guest));
    }
    await stowed();
    for (const [at, path] of paths.entries()) {
      await guest.open(path);
      expect([path, guest.page.status, shown(guest)]).toEqual([path, 200, before[at]]);
    }
    const { json } = await call('/booking/v1/get-details', { reference: NAME });
    const { url } = json.booking as unknown as { url: string };
    for (const one of [link, url, await linkTo(NAME)]) {
      const other = new Guest();
      await other.open(one);
      expect([other.page.status, shown(other)]).toEqual([200, before[0]]);
    }
    expect(await rowsOf(NAME)).toBe(0);
  });

  it('pays: the booking comes back first', async () => {
    await stowed();
    await guest.open(homeOf(guest));
    await guest.submit({ amount: '50', ...typedCard(GOOD) });
    // The page could not show the fees of a card that was not typed yet.
    await guest.submit();
    expect([guest.page.status, guest.page.html.includes('Payment successful')]).toEqual([
      200,
      true,
    ]);
    const paid = await transactionsOf(NAME);
    expect(paid.map(({ initiator, status }) => [initiator, status])).toEqual([
      [paid[0]?.initiator, 'Accepted'],
      ['guest', 'Accepted'],
    ]);
    expect(await rowsOf(NAME)).toBeGreaterThan(5);
    expect(await disagreements(NAME)).toEqual([]);
  });

  it('adds a card: the booking comes back first', async () => {
    await stowed();
    await guest.open(homeOf(guest));
    await openCardForm(guest);
    expect(await rowsOf(NAME)).toBe(0);
    await guest.submit(typedCard('5555555555554444'));
    expect([guest.page.status, guest.page.path]).toEqual([200, expect.stringContaining('?added')]);
    const { json } = await call('/booking/v1/get-details', { reference: NAME });
    expect(json.booking.payment).toHaveLength(2);
    expect(await disagreements(NAME)).toEqual([]);
  });

  it('whose link was revoked or has expired brings nothing back', async () => {
    const short = new Guest();
    await short.open(await linkTo(NAME, { expiresInMinutes: 10 }));
    await stowed();
    const post = (late: number) =>
      atTime(Date.now() + late, () => short.post(`${homeOf(short)}/pay`, { amount: '1' }));
    expect((await post(11 * MINUTE_MS)).status).toBe(410);
    expect(await rowsOf(NAME)).toBe(0);
  });

  it('has a new link mailed: the booking comes back first', async () => {
    const old = await linkTo(NAME, { expiresInMinutes: 10 });
    await stowed();
    const late = new Guest();
    await atTime(Date.now() + 11 * MINUTE_MS, () => late.open(old));
    expect([late.page.status, await rowsOf(NAME)]).toEqual([410, 0]);
    await late.submit();
    expect([late.page.status, late.page.html.includes('on its way')]).toEqual([200, true]);
    expect(await mailStates('demo', NAME)).toContainEqual(
      expect.objectContaining({ kind: 'paymentLink', status: 'Pending' }),
    );
    expect(await rowsOf(NAME)).toBeGreaterThan(5);
  });
});

it('the desk mails a link to an archived booking’s page: the booking comes back first', async () => {
  await stowed();
  const manager = await signedIn();
  await take(manager, NAME, { do: 'mailLink' });
  expect(manager.page.status).toBe(200);
  expect(await mailStates('demo', NAME)).toContainEqual(
    expect.objectContaining({ kind: 'paymentLink', status: 'Pending' }),
  );
  expect(await rowsOf(NAME)).toBeGreaterThan(5);
});
