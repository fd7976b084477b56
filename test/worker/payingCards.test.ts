/** Which card pays: the one that a guest enters to pay, and the one that was there when a schedule was made. */
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { call, callAsAdmin } from '../support/api.ts';
import { allow, refuse, toBank } from '../support/bank.ts';
import {
  ASKS_GUEST,
  DECLINED,
  GOOD,
  LOST_CARD,
  NEVER_ARRIVES,
  OTHER_GOOD,
} from '../support/cards.ts';
import { Guest, type Page, typedCard } from '../support/guest.ts';
import { recoveryStory } from '../support/recovery.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

/** A booking whose engine gave a card, with a guest on its page. */
async function storyWithCard(number = GOOD) {
  const story = await recoveryStory({ cardRecovery: null, booking: { totalCost: 900 } });
  const given = await story.attach(number);
  const guest = new Guest();
  const { json } = await story.post('/booking/v1/get-url');
  await guest.open(json.url);
  const home = guest.page.path.split('?')[0] ?? '';
  return {
    ...story,
    given,
    guest,
    home,
    async pay(cardNumber: string, amount: string): Promise<Page> {
      await guest.open(home);
      const minor = String(Number(amount) * 100);
      return guest.submit({
        ...typedCard(cardNumber),
        card: 'new',
        amount,
        agreedMinor: minor,
        replaces: '',
      });
    },
    async inUse(): Promise<string> {
      const { json: details } = await story.post('/booking/v1/get-details');
      return details.booking.payment[0]?.token ?? '';
    },
    async audited(): Promise<string[]> {
      const { json: trail } = await callAsAdmin('/admin/v1/audit/list', {
        property: story.property,
        reference: story.reference,
      });
      const entries = trail.entries as { subject: string; from: string | null; to: string }[];
      return entries.filter(({ subject }) => subject.startsWith('card ')).map(({ to }) => to);
    },
    async events(type: string): Promise<unknown[]> {
      const list = { types: [type], reference: story.reference };
      return ((await call('/event/v1/list', list, story.options)).json as { events: unknown[] })
        .events;
    },
  };
}

describe('a card that a guest enters to pay', () => {
  it.each([
    ['declined', LOST_CARD],
    ['declined softly', DECLINED],
  ])('and that is %s leaves the card of the schedules in use', async (_what, number) => {
    const story = await storyWithCard();
    const atMs = Date.now() + HOUR_MS;
    await story.schedule(atMs, 600);
    await story.pay(number, '100');
    expect(story.guest.page.html).toContain('Automatic charges use this card.');
    expect(await story.inUse()).toBe(story.given);
    await story.advance(atMs + MINUTE_MS);
    expect((await story.list())[0]).toMatchObject({ status: 'Accepted', attempts: 1 });
  });

  it('becomes the card in use with its payment, and tells of it then', async () => {
    const story = await storyWithCard();
    await story.pay(OTHER_GOOD, '100');
    const [paid] = (await story.list()).filter(({ status }) => status === 'Accepted');
    expect(await story.inUse()).toBe(paid?.cardDetails.token);
    expect((await story.audited()).toReversed().slice(-2)).toEqual(['entered', 'attached']);
    expect(await story.events('card.attached')).toHaveLength(2);
  });

  it('becomes it where the outcome is learnt only later', async () => {
    const story = await storyWithCard();
    await story.pay(NEVER_ARRIVES, '100');
    expect(await story.inUse()).toBe(story.given);
    await story.advance(Date.now() + 10 * MINUTE_MS);
    const [paid] = await story.list();
    expect([paid?.status, await story.inUse()]).toEqual(['Accepted', paid?.cardDetails.token]);
  });

  it.each([
    ['allows', true],
    ['refuses', false],
  ])('becomes it only if the guest %s the payment at the bank', async (_what, allows) => {
    const story = await storyWithCard();
    await story.pay(ASKS_GUEST, '100');
    await toBank(story.guest);
    expect(await story.inUse()).toBe(story.given);
    await (allows ? allow(story.guest) : refuse(story.guest));
    const [paid] = await story.list();
    expect(paid?.status).toBe(allows ? 'Accepted' : 'Declined');
    expect(await story.inUse()).toBe(allows ? paid?.cardDetails.token : story.given);
  });

  it('is refused without the agreement that its page shows, or with another', async () => {
    const story = await storyWithCard();
    for (const agreed of ['', 'payment-999 tlh', 'saved-2 en']) {
      await story.guest.open(story.home);
      const fields = { ...typedCard(OTHER_GOOD), card: 'new', amount: '100', agreed };
      const { status } = await story.guest.submit({
        ...fields,
        agreedMinor: '10000',
        replaces: '',
      });
      expect([agreed, status]).toEqual([agreed, 422]);
    }
    expect([await story.list(), await story.audited()]).toEqual([[], ['attached']]);
  });

  it('pays under a form’s id that is another payment’s reference', async () => {
    const [one, other] = [await storyWithCard(), await storyWithCard()];
    const { json } = await one.post('/payment/v1/create', { amount: 10 });
    const reference: string = json.transaction.reference;
    const used = reference.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const pays = async ({ guest, home }: typeof one, attempt: string) => {
      const paid = { amount: '100', agreedMinor: '10000', replaces: '', attempt };
      await guest.open(home);
      return (await guest.submit({ ...typedCard(OTHER_GOOD), card: 'new', ...paid })).status;
    };
    expect(await pays(other, used)).toBe(200);
    const paid = (await other.list()).map(({ amount, status }) => [amount, status]);
    expect(paid).toEqual([[100, 'Accepted']]);
  });
});

describe('a schedule that names no card', () => {
  const inAnHour = () => Date.now() + HOUR_MS;

  it.each([
    ['accepts', GOOD, 'Accepted', 2],
    ['declines too, even softly', DECLINED, 'Declined', 2],
  ])('tries the card of its making once, which %s', async (_what, first, status, attempts) => {
    const story = await storyWithCard(first);
    const atMs = inAnHour();
    await story.schedule(atMs, 100);
    await story.attach(LOST_CARD);
    await story.advance(atMs + MINUTE_MS);
    const [charge] = await story.list();
    expect(charge).toMatchObject({ status, attempts, cardDetails: { token: story.given } });
    const ledger = await callAsAdmin('/sandbox/v1/ledger', { reference: story.reference });
    const keys = ledger.json.operations
      .filter(({ property }: { property: string }) => property === story.property)
      .map(({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey.slice(-2));
    expect(keys).toEqual(['-1', '-2']);
    await story.advance(atMs + 100 * HOUR_MS);
    expect((await story.list())[0]).toMatchObject({ status, attempts });
  });

  it('does not try one that is the same, was named, or has expired', async () => {
    const same = await storyWithCard(LOST_CARD);
    const named = await storyWithCard(GOOD);
    const expired = await storyWithCard(GOOD);
    const atMs = inAnHour();
    await same.schedule(atMs, 100);
    await named.schedule(atMs, 100, { token: await named.attach(LOST_CARD) });
    await expired.attach('4000000000000069', '12/2040');
    await expired.schedule(atMs, 100);
    await expired.attach(LOST_CARD);
    for (const story of [same, named]) {
      await story.advance(atMs + MINUTE_MS);
      expect((await story.list())[0]).toMatchObject({ status: 'Declined', attempts: 1 });
    }
  });
});
