/** The language of guests' pages: what the browser asks for, or what the guest chooses. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { languages, messagesIn } from '../../src/core/words/words.ts';
import { learnForPage, learnLanguage } from '../../src/platform/assets.ts';
import { bookingOf, call, http, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { Guest, linkTo, typedCard, visit } from '../support/guest.ts';
import { wordsIn } from '../support/languages.ts';

beforeAll(async () => {
  await makeBooking('LANG-1');
});

/** Opens the booking's page as a browser that asks for these languages. */
async function opened(accept: string): Promise<Guest> {
  const guest = new Guest();
  await guest.open(await linkTo('LANG-1'));
  await guest.open(guest.page.path, { 'Accept-Language': accept });
  return guest;
}

const shownIn = ({ page }: Guest) => /<html lang="([^"]+)"/.exec(page.html)?.[1];

/** What may stand in Latin letters on a Japanese page: names, codes, and what was typed. */
const NAMES = new Set(
  [...languages.map((language) => wordsIn(language).ownName), 'Demo Property', 'Australia Perth']
    .concat([
      'Ana Nguyen',
      'LANG',
      'AUD',
      'Visa',
      'American Express',
      'Amex',
      'Mastercard',
      'CVC',
      'CVV',
    ])
    .flatMap((text) => text.split(' ')),
);

/** The words in Latin letters that a page shows or tells a screen reader, but for names. */
function latinWords({ page }: Guest): string[] {
  const shown = page.html
    .replace(/<(script|style|select)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(
      /<[^>]*?(?:aria-label|alt|title|placeholder|data-wait|data-not-loaded)="([^"]*)"[^>]*>/g,
      ' $1 ',
    )
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[^;]+;/g, ' ');
  return [...new Set(shown.match(/\p{Script=Latin}{3,}/gu))].filter((word) => !NAMES.has(word));
}

describe('a page in Japanese', () => {
  it('says nothing in English, on the whole way of a guest', async () => {
    const english: [string, string[]][] = [];
    const guest = await opened('ja');
    const ja = { 'Accept-Language': 'ja' };
    const home = guest.page.path;
    const look = (name: string) =>
      english.push([`${name} ${guest.page.status}`, latinWords(guest)]);
    const open = async (path: string) => {
      await guest.open(path, ja);
      look(path.replace(home, ''));
    };
    await guest.post('/guest/v1/language', { language: 'ja', back: home });
    look('booking');
    const card = { cardNumber: '4242424242424242', cardExpiry: '12/30', cvv: '123' };
    await open(`${home}/card`);
    await guest.submit({ ...card, cardNumber: '4242424242424241', cardHolderName: '' });
    look('wrong card');
    await open(`${home}/card`);
    await guest.submit({ ...card, cardHolderName: 'Ana Nguyen' });
    look('added');
    await guest.submit({ amount: 'x' });
    look('wrong amount');
    await guest.open(home, ja);
    await guest.submit({ amount: '10' });
    look('price');
    await guest.submit();
    look('receipt');
    await guest.open(home, ja);
    const [removal = ''] = /[^"]*\/remove\?card=[^"]+/.exec(guest.page.html) ?? [];
    await open(removal);
    await guest.submit();
    look('removed');
    await open(`${home}/nothing`);
    await open('/guest/v1/payments?token=nothing');
    expect(english.filter(([, words]) => words.length > 0)).toEqual([]);
    expect(english.map(([name]) => name.replace(/=\S+/, ''))).toEqual([
      'booking 200',
      '/card 200',
      'wrong card 422',
      '/card 200',
      'added 200',
      'wrong amount 422',
      'price 200',
      'receipt 200',
      '/remove?card 200',
      'removed 200',
      '/nothing 404',
      '/guest/v1/payments?token 404',
    ]);
  });
});

describe('a guest’s page', () => {
  it.each([
    ['de-AT,en;q=0.5', 'de'],
    ['en;q=0.5, ja;q=0.9', 'ja'],
    ['de;q=0, zh-CN', 'zh-Hans'],
    ['sv, nb', 'en'],
    [';;;,q=', 'en'],
  ])('for a browser that asks for %s is in %s', async (accept, language) => {
    const guest = await opened(accept);
    expect(shownIn(guest)).toBe(language);
    const words = wordsIn(languages.find((one) => one === language) ?? 'en');
    expect(guest.page.html).toContain(words.booking.title);
    expect(guest.page.html).toContain(`${words.frame.language}: ${words.ownName}`);
  });

  it('is in English while the file of its language cannot be had', async () => {
    const failing = { ASSETS: { fetch: vi.fn() } as unknown as typeof testEnv.ASSETS };
    const { fetch } = vi.mocked(failing.ASSETS);
    fetch.mockRejectedValueOnce(new Error('no such host'));
    fetch.mockResolvedValueOnce(new Response('', { status: 404 }));
    fetch.mockResolvedValueOnce(new Response('<!doctype html>'));
    const fresh = messagesIn('/words/guest', { locale: 'en', ownName: '' });
    for (const _ of ['unreachable', 'missing', 'unreadable']) {
      await learnForPage(failing, fresh, 'ko');
      expect(fresh.of('ko').locale).toBe('en');
      await expect(learnLanguage(failing, fresh, 'ko')).rejects.toThrow();
    }
    await learnForPage(testEnv, fresh, 'ko');
    expect(fresh.of('ko').ownName).toBe(wordsIn('ko').ownName);
  });

  it('is in the language that the guest chose, and stays so, wherever the browser comes from', async () => {
    const guest = await opened('de');
    const back = guest.page.path;
    await guest.post('/guest/v1/language', { language: 'fr', back });
    expect([guest.page.path, shownIn(guest)]).toEqual([back, 'fr']);
    await guest.open(back, { 'Accept-Language': 'ja' });
    expect(shownIn(guest)).toBe('fr');
    await guest.post('/guest/v1/language', { language: 'xx', back });
    expect(shownIn(guest)).toBe('fr');
    // A message is a page too, and keeps the link that led to it.
    await guest.open('/guest/v1/payments?token=nothing');
    expect(guest.page.html).toContain(
      wordsIn('fr').messages.unknownLink.heading.replace("'", '&#39;'),
    );
    expect(guest.page.html).toContain('value="/guest/v1/payments?token=nothing"');
  });

  it.each([
    'https://evil.example/guest/v1/',
    '//evil.example/guest/v1/',
    '/ops',
    'javascript:1',
    '',
  ])('leads nowhere else after a choice: %s', async (back) => {
    const answer = await http('/guest/v1/language', {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ language: 'de', back }),
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/guest/v1/']);
    expect(answer.headers.get('Set-Cookie')).toMatch(/^language=de;.*Path=\/guest\/;.*HttpOnly/);
  });
});

describe('a guest without JavaScript', () => {
  it.each(languages)(
    'pays part of the price with a new card, and reads the receipt: %s',
    async (language) => {
      const { pay, receipt } = wordsIn(language);
      const reference = `PAYS-${language}`;
      await call('/booking/v1/create/manage-payments', bookingOf(reference));
      const guest = await visit(reference);
      const home = guest.page.path;
      await guest.post('/guest/v1/language', { language, back: home });
      expect([shownIn(guest), guest.page.html.includes(pay.heading)]).toEqual([language, true]);
      await guest.submit({ ...typedCard('4242424242424242'), amount: '100' });
      expect(guest.page.html).toContain(pay.reviewTitle);
      await guest.submit();
      expect(guest.page.html).toContain(receipt.heading);
      expect(await transactionsOf(reference)).toMatchObject([
        { status: 'Accepted', amount: 103.09 },
      ]);
    },
  );
});
