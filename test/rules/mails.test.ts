import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { type DigestEntry, dailyDigest } from '../../src/mails/rules/dailyDigest.ts';
import {
  cardRequestMail,
  failedPayment,
  receipt,
  refundMail,
  summary,
} from '../../src/mails/rules/guestMails.ts';
import { morningAfter, nextAttemptAtMs } from '../../src/mails/rules.ts';
import { virtualCardMail } from '../../src/money/recovery/virtualCardMail.ts';
import { layOut, type MailContent } from '../../src/platform/mail/layout.tsx';
import type { EventType } from '../../src/records/history/rules/eventTypes.ts';
import { mailsOf } from '../../src/records/mails/rules.ts';
import { changed } from '../../src/records/properties/actions.ts';
import type { Contact } from '../../src/schema/propertyTables.ts';
import { learnAll } from '../support/languages.ts';
import {
  booking,
  card,
  charge,
  entry,
  property,
  SAMPLE_AT_MS,
  sampleMails,
} from '../support/mailSamples.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { bookedRow, propertyRow, refundRow, transactionRow } from './rows.ts';

learnAll();

/** The text part as a mail program shows it: with ordinary spaces. */
async function textOf(content: MailContent, of = property): Promise<string> {
  return (await layOut(of, content)).text.replaceAll('\u00a0', ' ');
}

describe('the morning on which a property hears of something', () => {
  it.each([
    ['Australia/Perth', '2027-02-10T00:00:00+08:00', '2027-02-11T07:00:00+08:00'],
    ['Australia/Perth', '2027-02-10T23:59:59+08:00', '2027-02-11T07:00:00+08:00'],
    ['America/New_York', '2027-03-13T12:00:00-05:00', '2027-03-14T07:00:00-04:00'],
    ['America/New_York', '2027-11-06T12:00:00-04:00', '2027-11-07T07:00:00-05:00'],
    // A day that the island left out when it crossed the date line.
    ['Pacific/Apia', '2011-12-29T12:00:00-10:00', '2011-12-31T07:00:00+14:00'],
    ['Asia/Kathmandu', '2027-02-10T23:00:00+05:45', '2027-02-11T07:00:00+05:45'],
  ])('is the next one in %s: %s', (timeZone, at, morning) => {
    const atMs = Date.parse(at);
    const found = morningAfter(atMs, atMs, timeZone);
    expect(new Date(found.atMs).toISOString()).toBe(new Date(morning).toISOString());
  });

  it('is the first that has not begun, where it is planned late', () => {
    const late = (now: string) =>
      morningAfter(Date.parse('2027-02-10T12:00:00Z'), Date.parse(now), 'Europe/Lisbon').day;
    expect(late('2027-02-11T06:59:00Z')).toBe('2027-02-11');
    expect(late('2027-02-11T07:00:00Z')).toBe('2027-02-12');
    expect(late('2027-02-14T05:00:00Z')).toBe('2027-02-14');
  });
});

describe('a mail that could not be sent', () => {
  it('is tried again later and later, for about three days', () => {
    const delays = Array.from({ length: 9 }, (_, failed) => nextAttemptAtMs(failed + 1, 0));
    expect(delays).toEqual([
      MINUTE_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      6 * HOUR_MS,
      12 * HOUR_MS,
      DAY_MS,
      DAY_MS,
      null,
    ]);
  });
});

describe('the mails of an event', () => {
  const plain = { guestMails: null, cardRecovery: null, contact: null };
  const byGuest = {
    kind: 'charge',
    status: 'Accepted',
    initiator: 'guest',
    virtualCard: false,
  } as const;
  const byHotel = { ...byGuest, initiator: 'property' } as const;
  const schedule = { ...byHotel, kind: 'schedule', status: 'Declined' } as const;
  const told = { guestMails: { failedPayments: true } };
  it.each<
    [EventType, Parameters<typeof mailsOf>[1], Partial<Parameters<typeof mailsOf>[2]>, string[]]
  >([
    ['payment.accepted', byGuest, {}, ['receipt']],
    ['payment.accepted', byHotel, {}, []],
    ['payment.accepted', byHotel, { guestMails: { receipts: true } }, ['receipt']],
    ['payment.accepted', byGuest, { guestMails: { receipts: false } }, []],
    ['authorization.captured', byGuest, {}, ['receipt']],
    ['payment.corrected', byGuest, {}, ['receipt']],
    ['payment.corrected', { ...byGuest, status: 'Released' }, {}, []],
    ['refund.refunded', byGuest, {}, ['refund']],
    ['refund.refunded', byHotel, {}, []],
    ['refund.refunded', byHotel, { guestMails: { refunds: true } }, ['refund']],
    ['payment.declined', schedule, {}, []],
    ['payment.declined', schedule, told, ['failedPayment']],
    ['payment.declined', schedule, { ...told, cardRecovery: SETTINGS }, []],
    ['payment.failed', schedule, { ...told, cardRecovery: SETTINGS }, ['failedPayment']],
    ['payment.declined', byHotel, told, ['failedPayment']],
    ['payment.failed', byHotel, told, []],
    ['payment.declined', byGuest, told, []],
    ['payment.declined', { ...byHotel, kind: 'authorization' }, told, []],
    ['payment.declined', byHotel, { contact: { email: 'a@hotel.com' } }, ['dailyWord']],
    ['dispute.opened', byHotel, { contact: { email: 'a@hotel.com' } }, ['dailyWord']],
    ['refund.failed', byHotel, { contact: { phone: '1' } }, []],
    ['schedule.retrying', schedule, { ...told, contact: { email: 'a@hotel.com' } }, []],
  ])('%s of %j where the property says %j: %j', (type, charge, wishes, expected) => {
    expect(mailsOf(type, charge, { ...plain, ...wishes })).toEqual(expected);
  });
});

describe('settings that are kept as one object', () => {
  const before = { email: 'a@hotel.com', phone: '1' };
  it.each([
    [before, undefined, before],
    [before, {}, before],
    [before, { phone: '2' }, { email: 'a@hotel.com', phone: '2' }],
    [before, { phone: null }, { email: 'a@hotel.com' }],
    [before, { phone: undefined }, before],
    [before, { email: null, phone: null }, null],
    [before, null, null],
    [null, { phone: '2' }, { phone: '2' }],
    [null, {}, null],
  ] as const)('%j, changed by %j, are %j', (from, changes, after) => {
    expect(changed<Contact>(from, changes)).toEqual(after);
  });
});

const NOTHING_OPEN = { payUrl: null, dueMinor: null };

describe('the texts of the mails', () => {
  it('can be read in the text part', async () => {
    for (const [name, { subject, text }] of await sampleMails()) {
      expect(`${subject}\n\n${text.replaceAll('\u00a0', ' ')}`).toMatchSnapshot(name);
    }
  });

  it('leave out what is not there: fees, a description, a card, a contact', async () => {
    const plain = propertyRow();
    const free = transactionRow({ status: 'Accepted', completedAtMs: SAMPLE_AT_MS });
    const content = receipt({ property: plain, booking, charge: free, card: null }, NOTHING_OPEN);
    expect(await textOf(content, plain)).toMatchSnapshot();
  });

  it.each([
    ['expired_card', 'The card has expired.'],
    ['stolen_card', 'Your bank says that this card can no longer be used.'],
    ['authentication_required', "Your bank needs to verify that it's you"],
    ['do_not_honor', 'Your bank declined the payment and gave no reason.'],
    [null, 'Your bank declined the payment and gave no reason.'],
  ])('say why a payment was declined: %s', async (declineCode, words) => {
    const declined = { ...charge, status: 'Declined', declineCode } as const;
    const text = await textOf(failedPayment({ property, booking, charge: declined, card }, null));
    expect(text).toContain(words);
    expect(text).toContain('Please contact Demo Property to pay in another way.');
  });

  it.each([
    [null, 'There is no card for this payment.'],
    [card.token, 'The payment could not be made for a technical reason.'],
  ])('say why a payment was never made, with the card %s', async (cardToken, words) => {
    const failed = { ...charge, status: 'Failed', cardToken } as const;
    const content = failedPayment({ property, booking, charge: failed, card }, null);
    expect(await textOf(content)).toContain(words);
  });

  it('ask for a card without a booking, and count one payment as one', async () => {
    const request = { expiresAtMs: SAMPLE_AT_MS };
    const loose = cardRequestMail({ property, booking: null, request }, 'https://pay/card?x');
    expect(loose.subject).toBe('Add a card for Demo Property');
    expect(await textOf(loose)).toContain('Demo Property needs a card from you.');
    const single = dailyDigest({
      property,
      day: '2027-02-10',
      entries: [entry],
      count: 1,
      baseUrl: '',
    });
    expect(single.subject).toMatch(/^1 payment needs /);
  });

  it('tell of a payment once, however often it was tried with the same end', async () => {
    const later = { ...entry, atMs: entry.atMs + 3_600_000 };
    const content = dailyDigest({
      property,
      day: '2027-02-10',
      entries: [
        entry,
        later,
        { ...later, declineCode: 'expired_card' },
        { ...later, bookingReference: 'B' },
      ],
      count: 5,
      baseUrl: '',
    });
    expect(content.subject).toMatch(/^4 payments need /);
    expect(
      (await textOf(content)).match(/booking .*$/gm)?.map((line) => line.replace(/ \(.*/, '')),
    ).toEqual([
      expect.stringMatching(/reported lost, 2 times since 10 Feb 2027, 09:05/),
      expect.stringMatching(/has expired$/),
      expect.stringMatching(/^booking B,.*reported lost$/),
    ]);
  });
});

describe('what a property hears in the morning', () => {
  const told = (entries: readonly DigestEntry[], count = entries.length) =>
    dailyDigest({
      property,
      day: '2027-02-10',
      entries,
      count,
      baseUrl: 'https://pay.hotel.com',
    });
  const refund = { ...entry, eventType: 'refund.failed' };

  it('leads to the booking of each entry', () => {
    expect(told([{ ...entry, bookingReference: 'RES 1&2' }]).lists).toMatchObject([
      {
        items: [{ url: 'https://pay.hotel.com/console/booking?property=demo&reference=RES+1%262' }],
      },
    ]);
  });

  it('has each refund that failed, though two are alike, and says how many more there are', () => {
    const { closing, lists, subject } = told([refund, { ...refund }], 5);
    expect(lists?.[0]?.items).toHaveLength(2);
    expect(subject).toMatch(/^5 /);
    expect(closing).toEqual(['And 3 more.']);
    expect(told([refund]).closing).toEqual([]);
  });

  it('leaves the name out where there is no booking', () => {
    const textOfFirst = (lastName: string | null) => {
      const [item] = told([{ ...refund, lastName }]).lists?.[0]?.items ?? [];
      return typeof item === 'object' ? item.text.replaceAll('\u00a0', ' ') : '';
    };
    expect(textOfFirst('Nguyen')).toContain('RES-1, Ana Nguyen, AUD 154.97');
    expect(textOfFirst(null)).toContain('RES-1, AUD 154.97');
  });
});

describe('several mails to one guest', () => {
  it('are told in one, in their order', () => {
    const returned = refundRow({ status: 'Refunded', completedAtMs: SAMPLE_AT_MS });
    const paid = receipt(
      { property, booking, charge, card },
      { payUrl: 'https://pay/x', dueMinor: 0 },
    );
    const refunded = refundMail({ property, booking, refund: returned, card });
    const both = summary(property, [paid, refunded]);
    expect(both).toMatchObject({
      language: 'en',
      lists: [{ heading: paid.heading }, { heading: refunded.heading }],
    });
    expect(both.lists?.[0]?.items).toEqual([
      ...paid.opening,
      'See your booking: https://pay/x',
      ...[...(paid.facts ?? []), ...(paid.sum ?? [])].map(({ name, value }) => `${name}: ${value}`),
    ]);
    expect(both.lists?.[1]?.items.slice(-2)).toEqual([
      `${refunded.sum?.[0]?.name}: ${refunded.sum?.[0]?.value}`,
      refunded.closing?.[0],
    ]);
    expect([both.subject, both.opening].flat().join(' ')).toMatchSnapshot();
    expect(
      summary(property, [{ ...refunded, facts: undefined, sum: undefined, closing: undefined }])
        .lists,
    ).toEqual([{ heading: refunded.heading, items: refunded.opening }]);
  });
});

describe('mails to a property itself', () => {
  const german = { ...property, guestMails: { languages: ['ja', 'de-AT', 'en'] } };

  it('are in the first of its languages in which staff have words', async () => {
    const respondByMs = entry.atMs + DAY_MS;
    const content = dailyDigest({
      property: german,
      day: '2027-02-10',
      entries: [entry, { ...entry, eventType: 'dispute.opened', disputeReason: null, respondByMs }],
      count: 3,
      baseUrl: 'https://pay.hotel.com',
    });
    expect(content).toMatchObject({
      language: 'de',
      subject: `3 Zahlungen brauchen Ihre Aufmerksamkeit: ${property.name}, 10. Februar 2027`,
      lists: [{ heading: 'Gescheiterte Belastungen' }, { heading: 'Anfechtungen' }],
      closing: ['Und 1 weitere.'],
    });
    const text = await textOf(content, german);
    expect(text).toMatch(
      /10\.02\.2027, \d\d:\d\d: Buchung \S+, .*abgelehnt: Karte als verloren gemeldet/,
    );
    expect(text).toMatch(
      /angefochten \(ohne Angabe von Gründen\), zu beantworten bis 11\.02\.2027/,
    );
  });

  it('ask for another virtual card in that language', () => {
    const told = {
      deadlineAtMs: SAMPLE_AT_MS,
      charge: { amountMinor: 12_050, currency: 'EUR', declineCode: 'expired_card' },
      card: { ...card, virtual: { channel: 'Reisen AG' } as NonNullable<typeof card.virtual> },
    };
    const [opening, declined, expiring] = virtualCardMail(
      german,
      booking,
      [
        { ...told, cause: 'declined' },
        { ...told, cause: 'expiring' },
      ],
      '',
    ).opening.map((line) => line.replaceAll('\u00a0', ' '));
    expect(opening).toMatch(/^Die virtuelle Karte der Buchung /);
    expect(declined).toMatch(/^120,50 EUR auf Visa \d{4} von Reisen AG: abgelehnt \(.+\)$/);
    expect(expiring).toMatch(/Karte wird dann abgelaufen sein$/);
  });
});

describe('the HTML of a mail', () => {
  it('says what the text says, and escapes what others wrote', async () => {
    const name = '<b>Hôtel & Co</b>';
    const odd = propertyRow({ name, contact: { website: 'https://a.com/?a=1&b="2"' } });
    const booked = bookedRow({ lastName: '<script>alert(1)</script>' });
    const content = receipt({ property: odd, booking: booked, charge, card }, NOTHING_OPEN);
    const { html, text, fromName, replyTo } = await layOut(odd, content);
    expect([fromName, replyTo]).toEqual([name, null]);
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&lt;b&gt;Hôtel &amp; Co&lt;/b&gt;');
    expect(html).toContain('href="https://a.com/?a=1&amp;b=&quot;2&quot;"');
    expect(text).toContain('<script>alert(1)</script>');
    const facts = [...(content.facts ?? []), ...(content.sum ?? [])];
    for (const { value } of facts.filter((fact) => !fact.value.includes('<'))) {
      expect(html).toContain(value);
    }
  });

  it('has the look of its property: its colour on the button, in whatever mode, and its logo', async () => {
    const branding = { colour: '#f2c200', logoUrl: 'https://img.hotel.com/logo.png' };
    const open = { payUrl: 'https://pay.hotel.com/x', dueMinor: 0 };
    const content = receipt({ property, booking, charge, card }, open);
    const { html } = await layOut({ ...property, branding }, content);
    expect(html).toMatch(
      /<a style="[^"]*background: #f2c200; color: #000000" href="https:\/\/pay.hotel.com\/x">See your booking</,
    );
    expect(html).toContain('src="https://img.hotel.com/logo.png" alt=""');
  });

  it('loads nothing from anywhere', async () => {
    const { html } = await layOut(
      property,
      receipt({ property, booking, charge, card }, NOTHING_OPEN),
    );
    expect(html).not.toMatch(/<(?:img|link|script|iframe)|@import|url\(/);
  });
});

describe('a mail to a guest', () => {
  it.each([
    [['de-AT', 'en'], 'de', 'Zahlungsbeleg', '154,97\u00a0AUD'],
    [['sv', 'ja'], 'ja', '領収書', 'AUD\u00a0154.97'],
    [[], 'en', 'Payment receipt', 'AUD\u00a0154.97'],
  ] as const)(
    'is in the first language of the property that there is: %j',
    async (tags, lang, heading, amount) => {
      const of = { ...property, guestMails: { languages: [...tags] } };
      const mail = await layOut(of, receipt({ property: of, booking, charge, card }, NOTHING_OPEN));
      expect(mail.html).toContain(`<html lang="${lang}">`);
      expect(mail.text.startsWith(`${heading}\n`)).toBe(true);
      expect(mail.text).toContain(amount);
    },
  );
});
