/** What guests do on their pages is kept, with the words that they saw, for who disputes it later. */
import { describe, expect, it } from 'vitest';
import { bookingOf, call, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { enterCard, visit } from '../support/guest.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['pms'] });

const BROWSER = { 'User-Agent': 'Browser/1', 'CF-Connecting-IP': '203.0.113.7' };

async function actsOf(reference: string) {
  const { results } = await testEnv.DB.prepare(
    'SELECT kind, language, words, ip_address AS ipAddress, browser FROM guest_acts WHERE booking_reference = ? ORDER BY at_ms, kind',
  )
    .bind(reference)
    .all<Record<'kind' | 'language' | 'words' | 'ipAddress' | 'browser', string | null>>();
  return results;
}

describe('a guest', () => {
  it('who adds a card and pays has agreed to the words of the pages, each kept once', async () => {
    const reference = 'ACTS-1';
    await call('/booking/v1/create/manage-payments', bookingOf(reference));
    const guest = await visit(reference);
    await enterCard(guest, GOOD);
    await guest.submit({ amount: '10' });
    await guest.submit();
    expect(guest.page.status).toBe(200);
    const acts = await actsOf(reference);
    expect(new Set(acts.map(({ kind }) => kind))).toEqual(new Set(['opened', 'card', 'payment']));
    expect(acts).toHaveLength(3);
    const of = (kind: string) => acts.find((act) => act.kind === kind);
    expect(of('card')).toMatchObject({
      language: 'en',
      words: expect.stringContaining('you agree that Demo Property may charge to it'),
    });
    expect(of('payment')?.words).toMatch(/Total to pay: AUD\s10\.31\nPay AUD\s10\.31$/);
    expect(of('opened')).toMatchObject({ words: null, language: null });
  });

  it('who opens the page again within the hour is kept once for each browser', async () => {
    const reference = 'ACTS-2';
    await call('/booking/v1/create/manage-payments', bookingOf(reference));
    const { json } = await call('/booking/v1/get-url', { reference });
    const guest = await visit(reference);
    for (const headers of [BROWSER, BROWSER, { ...BROWSER, 'User-Agent': 'Browser/2' }]) {
      await guest.open(json.url, headers);
    }
    const opened = (await actsOf(reference)).filter(({ browser }) => browser !== null);
    expect(opened.map(({ browser, ipAddress }) => [browser, ipAddress])).toEqual([
      ['Browser/1', '203.0.113.7'],
      ['Browser/2', '203.0.113.7'],
    ]);
  });
});
