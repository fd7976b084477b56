/** What a guest sees and does who follows the link of a message about a failing card (interface: Recovery). */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { allow, toBank } from '../support/bank.ts';
import { ASKS_GUEST, GOOD, LOST_CARD, OTHER_GOOD } from '../support/cards.ts';
import { monthAhead } from '../support/days.ts';
import { Guest, typedCard } from '../support/guest.ts';
import { newestLink } from '../support/mailbox.ts';
import { expiringSchedule, type RecoveryStory, recoveryStory } from '../support/recovery.ts';

/** A guest who follows the link of the most recent e-mail. */
async function follow(): Promise<Guest> {
  const guest = new Guest();
  await guest.open(await newestLink());
  return guest;
}

/** Adds a card on the page, as the form has it. */
async function add(guest: Guest, cardNumber: string) {
  await guest.open(`${homeOf(guest)}/card`);
  const form = guest.page.html;
  await guest.submit({ cardNumber, cardExpiry: '12/40', cardHolderName: 'A Nguyen', cvv: '123' });
  return form;
}

function homeOf(guest: Guest): string {
  return guest.page.path.replace(/[?].*$/, '').replace(/\/(?:card|receipt\/\d+)$/, '');
}

/** The text of a page. */
function textOf({ page }: Guest): string {
  return page.html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' .', '.');
}

/** The amount that the form to pay has chosen. */
function checkedChoice({ page }: Guest): string {
  const [, choice = ''] =
    /<input type="radio" name="choice"[^>]*checked[^>]*\/?>\s*<span>([^<]*)/.exec(page.html) ?? [];
  return choice.replaceAll('\u00A0', ' ');
}

async function declined(): Promise<RecoveryStory> {
  const story = await recoveryStory();
  await story.attach(LOST_CARD);
  const atMs = Math.ceil((Date.now() + HOUR_MS) / 1000) * 1000;
  await story.schedule(atMs);
  await story.advance(atMs);
  return story;
}

describe('a guest whose card will have expired', () => {
  it('reads why, is told what the new card takes over before and after, and is asked no more', async () => {
    const story = await recoveryStory();
    const { askAtMs } = await expiringSchedule(story);
    await story.advance(askAtMs);
    const guest = await follow();
    expect(textOf(guest)).toMatch(/AUD 100\.00 is to be charged .* will have expired by then/);
    expect(textOf(guest)).toContain('Replace the card or pay below, by ');
    const form = await add(guest, OTHER_GOOD);
    expect(form).toContain('These automatic charges will use the new card:');
    expect(form).toContain('t be charged yet.');
    expect(textOf(guest)).toMatch(
      /Card added\. Check the amount below and continue\. These automatic charges will use it: AUD 100\.00 on/,
    );
    expect(textOf(guest)).not.toContain('Replace the card');
    await story.advance(askAtMs + DAY_MS);
    expect(await story.mails()).toHaveLength(1);
  });

  it('pays at once instead, so that the schedule ends and nobody is asked again', async () => {
    const story = await recoveryStory({ booking: { totalCost: 100, firstNightCost: 100 } });
    const { askAtMs } = await expiringSchedule(story);
    await story.advance(askAtMs);
    const guest = await follow();
    await add(guest, OTHER_GOOD);
    await guest.submit({ amount: '100.00', agreedMinor: '' });
    expect(textOf(guest)).toContain('AUD 100.00');
    await guest.submit();
    expect((await story.list()).map(({ status }) => status)).toEqual(['Cancelled', 'Accepted']);
    await story.advance(askAtMs + 3 * DAY_MS);
    // The reminder, and the receipt.
    expect((await story.mails()).map(({ subject }) => /receipt/i.test(subject))).toEqual([
      false,
      true,
    ]);
    expect(await story.events('recovery')).toEqual([]);
  });

  it.each([
    ['all of it, which ends it', '100.00', 'Cancelled', 100, '4242'],
    ['a part of it, and the rest is charged to that card', '40.00', 'Pending', 60, '4444'],
  ])('pays with a card that they enter to pay: %s', async (_what, amount, status, left, digits) => {
    const story = await recoveryStory({ booking: { totalCost: 100, firstNightCost: 100 } });
    const { askAtMs, chargeId } = await expiringSchedule(story);
    await story.advance(askAtMs);
    const guest = await follow();
    await guest.open(homeOf(guest));
    const instead =
      status === 'Cancelled'
        ? { replaces: String(chargeId), lowers: '' }
        : { replaces: '', lowers: `${chargeId}:6000` };
    const agreedMinor = amount.replace('.', '');
    await guest.submit({ ...typedCard(OTHER_GOOD), card: 'new', amount, agreedMinor, ...instead });
    const [schedule, paid] = await story.list();
    expect(paid).toMatchObject({ status: 'Accepted', amount: Number(amount) });
    expect(schedule).toMatchObject({
      status,
      amount: left,
      cardDetails: { cardNumber: digits },
    });
    await story.advance(askAtMs + 3 * DAY_MS);
    expect(await story.health()).toEqual([]);
  });
});

describe('a guest who is asked for an amount', () => {
  const other = typedCard(OTHER_GOOD);

  it('pays what was declined with a card that they enter there, once', async () => {
    const story = await declined();
    const guest = await follow();
    expect(checkedChoice(guest)).toContain('The amount asked for: AUD 100.00');
    await guest.submit(other);
    expect(guest.page.path).toContain('/receipt/');
    await story.advance((await story.now()) + DAY_MS);
    const paid = (await story.list()).map(({ amount, initiator, status }) => [
      amount,
      initiator,
      status,
    ]);
    expect(paid).toEqual([
      [100, undefined, 'Declined'],
      [100, 'guest', 'Accepted'],
    ]);
    expect([await story.health(), await story.events('recovery')]).toEqual([[], []]);
  });

  it('pays another amount with a new card: what is left is asked for', async () => {
    const story = await declined();
    const guest = await follow();
    await guest.submit({ ...other, amount: '60.00', agreedMinor: '6000' });
    await guest.open(homeOf(guest));
    expect(checkedChoice(guest)).toContain('The amount asked for: AUD 40.00');
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });

  it('pays a schedule that is to come instead of it, and of no other', async () => {
    const story = await recoveryStory({ booking: { totalCost: 900 } });
    const { askAtMs } = await expiringSchedule(story);
    const later = await story.attach(OTHER_GOOD);
    await story.schedule(askAtMs + 100 * DAY_MS, 200, { token: later });
    await story.attach(GOOD, monthAhead(2).text);
    await story.advance(askAtMs);
    const guest = await follow();
    expect(checkedChoice(guest)).toContain('The amount asked for: AUD 100.00');
    await guest.submit(other);
    const paid = (await story.list()).map(({ amount, status }) => [amount, status]);
    expect(paid).toEqual([
      [100, 'Cancelled'],
      [200, 'Pending'],
      [100, 'Accepted'],
    ]);
  });
});

describe('a guest whose card was declined for good', () => {
  it('is told that a new card is charged at once, and that it was', async () => {
    const story = await declined();
    const guest = await follow();
    expect(textOf(guest)).toMatch(/The payment of AUD 100\.00 .* was declined for your Visa card/);
    expect(guest.page.html.match(/<a class="button[^>]*\/card">/g)).toHaveLength(1);
    const form = await add(guest, OTHER_GOOD);
    expect(form).toContain('When you add this card, it is charged at once:');
    expect(form).toContain('Add card and pay AUD\u00a0100.00</button>');
    expect(form).not.toContain('t be charged yet.');
    expect(textOf(guest)).toContain(
      'Card added. AUD 100.00, which was declined before, was charged to it.',
    );
    expect(textOf(guest)).not.toContain('was declined for your Visa card');
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });

  it('is told when the new card is declined too', async () => {
    const story = await declined();
    const guest = await follow();
    await add(guest, '4000000000000069');
    expect(textOf(guest)).toContain('could not be made with this card. The card has expired.');
    expect(textOf(guest)).toContain('was declined for your Visa card');
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Declined']);
  });

  it('clicks twice, in two tabs: the same form makes one card, two forms one charge', async () => {
    const story = await declined();
    const guest = await follow();
    const home = homeOf(guest);
    await guest.open(`${home}/card`);
    const attempt = /name="attempt" value="([^"]+)"/.exec(guest.page.html)?.[1] ?? '';
    const typed = {
      cardNumber: OTHER_GOOD,
      cardExpiry: '12/40',
      cardHolderName: 'A Nguyen',
      cvv: '123',
      agreed: 'saved-2 en',
    };
    const tab = (attemptOfTab: string) =>
      guest.post(`${home}/card`, { ...typed, attempt: attemptOfTab });
    await Promise.all([tab(attempt), tab(attempt), tab(crypto.randomUUID())]);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });
});

it('a charge on a card that its guest enters is their own: their bank may ask', async () => {
  const story = await recoveryStory({ booking: { totalCost: 900 } });
  const lost = await story.attach(LOST_CARD);
  const atMs = Date.now() + HOUR_MS;
  const declined = await story.schedule(atMs, 100, { token: lost });
  await story.advance(atMs + MINUTE_MS);
  const guest = new Guest();
  await guest.open((await story.post('/booking/v1/get-url')).json.url);
  await add(guest, ASKS_GUEST);
  const [, asked] = await story.list();
  expect(asked).toMatchObject({ status: 'Processing', initiator: 'guest', replaces: declined });
  await guest.open(/href="([^"]*\/receipt\/\d+)"/.exec(guest.page.html)?.[1] ?? '');
  await toBank(guest);
  await allow(guest);
  expect((await story.list())[1]).toMatchObject({ status: 'Accepted' });
  expect(await story.health()).toEqual([]);
});

describe('a card request of a booking whose charge was declined', () => {
  async function requested(): Promise<{ story: RecoveryStory; guest: Guest }> {
    const story = await declined();
    await story.post('/payment/v1/request-card-details');
    return { story, guest: await follow() };
  }
  const add = (guest: Guest, cardNumber: string) => guest.submit(typedCard(cardNumber));

  it('leads its guest to their bank where that asks', async () => {
    const { story, guest } = await requested();
    await add(guest, ASKS_GUEST);
    await toBank(guest);
    await allow(guest);
    expect(guest.page.html).toContain('Payment successful');
    expect((await story.list())[1]).toMatchObject({ status: 'Accepted', initiator: 'guest' });
  });

  it.each([
    [OTHER_GOOD, 'AUD 100.00, which was declined before, was charged to it.', 'Accepted'],
    [LOST_CARD, 'could not be made with this card.', 'Declined'],
  ])('says what came of the charge on %s', async (cardNumber, text, status) => {
    const { story, guest } = await requested();
    await add(guest, cardNumber);
    expect(textOf(guest)).toContain(text);
    expect((await story.list())[1]).toMatchObject({ status });
  });

  it('charges the card of another address without a guest', async () => {
    const story = await declined();
    const email = 'agency@hotel.com';
    await story.post('/payment/v1/request-card-details', { email });
    const guest = await follow();
    await add(guest, OTHER_GOOD);
    expect(textOf(guest)).not.toContain('AUD 100.00, which');
    expect((await story.list())[1]).toMatchObject({ status: 'Accepted' });
    expect((await story.list())[1]).not.toHaveProperty('initiator');
  });
});

it('a card request names what its card takes over, too', async () => {
  const story = await recoveryStory({ cardRecovery: null });
  await expiringSchedule(story);
  await story.post('/payment/v1/request-card-details');
  const guest = await follow();
  expect(textOf(guest)).toContain('These automatic charges will use the new card:');
});
