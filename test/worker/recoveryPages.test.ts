/** What a guest sees and does who follows the link of a message about a failing card (interface: Recovery). */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { freshDatabase } from '../support/api.ts';
import { Guest } from '../support/guest.ts';
import { takeTurns } from '../support/long.ts';
import { newestLink } from '../support/mailbox.ts';
import {
  expiringSchedule,
  LOST,
  OTHER_GOOD,
  type RecoveryStory,
  recoveryStory,
} from '../support/recovery.ts';

takeTurns();

beforeAll(freshDatabase);

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
  return guest.page.path.replace(/[?].*$/, '').replace(/\/card$/, '');
}

/** The text of a page. */
function textOf({ page }: Guest): string {
  return page.html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' .', '.');
}

async function declined(): Promise<RecoveryStory> {
  const story = await recoveryStory();
  await story.attach(LOST);
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
    // The asking, and the receipt.
    expect((await story.mails()).map(({ subject }) => /receipt/i.test(subject))).toEqual([
      false,
      true,
    ]);
    expect(await story.events('recovery')).toEqual([]);
  });
});

describe('a guest whose card was declined for good', () => {
  it('is told that a new card is charged at once, and that it was', async () => {
    const story = await declined();
    const guest = await follow();
    expect(textOf(guest)).toMatch(/The payment of AUD 100\.00 .* was declined for your Visa card/);
    expect(guest.page.html.match(/<a class="button[^>]*\/card">/g)).toHaveLength(1);
    const form = await add(guest, OTHER_GOOD);
    expect(form).toContain('When you add this card, it is charged at once, plus any card fee:');
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
    };
    const tab = (attemptOfTab: string) =>
      guest.post(`${home}/card`, { ...typed, attempt: attemptOfTab });
    await Promise.all([tab(attempt), tab(attempt), tab(crypto.randomUUID())]);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });
});

it('a card request names what its card takes over, too', async () => {
  const story = await recoveryStory({ cardRecovery: null });
  await expiringSchedule(story);
  await story.post('/payment/v1/request-card-details');
  const guest = await follow();
  expect(textOf(guest)).toContain('These automatic charges will use the new card:');
});
