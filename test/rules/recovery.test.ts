/** Whom a recovery asks, when, and how it ends, for every course of things (interface: Recovery). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { readerOf } from '../../src/core/words/reader.ts';
import { languages } from '../../src/core/words/words.ts';
import { problemIn } from '../../src/money/recovery/problems.ts';
import { type RemindedCharge, reminderMail } from '../../src/money/recovery/reminder.ts';
import {
  coveredMinor,
  deadlineOf,
  isStillAsked,
  isToCome,
  nextStep,
  type Situation,
  type Step,
} from '../../src/money/recovery/rules.ts';
import { layOut } from '../../src/platform/mail/layout.tsx';
import { renewalOf } from '../../src/records/cards/rules.ts';
import type { ProblemRow } from '../../src/records/recoveries/store.ts';
import type { CardRecovery } from '../../src/schema/propertyTables.ts';
import type { RecoveryRow } from '../../src/schema/recoveryTables.ts';
import { learnAll } from '../support/languages.ts';
import { SETTINGS, settings } from '../support/recoverySettings.ts';
import { cardRow } from './rows.ts';

learnAll();

const NOW = Date.UTC(2027, 5, 1);
const FAR = NOW + 300 * DAY_MS;

function row(changes: Partial<RecoveryRow> = {}): RecoveryRow {
  return {
    transactionId: 1,
    propertyId: 'demo',
    bookingReference: 'R-1',
    cause: 'declined',
    chargeAtMs: NOW,
    cardToken: 'old',
    toldCard: null,
    asked: 0,
    askedForCause: 0,
    firstAskedAtMs: null,
    deadlineAtMs: null,
    reminderMail: null,
    answerCard: null,
    flaggedAtMs: null,
    dueAtMs: NOW,
    endedAtMs: null,
    endedAs: null,
    version: 1,
    createdAtMs: NOW,
    changedAtMs: NOW,
    ofSettlement: false,
    ...changes,
  };
}

function situation(changes: Partial<Situation> = {}): Situation {
  const cause = changes.row?.cause ?? 'declined';
  return {
    row: row(),
    charge: { status: isToCome({ cause }) ? 'Pending' : 'Declined', virtualCard: false },
    settings: SETTINGS,
    isCancelled: false,
    wantedMinor: 10_000,
    card: { token: 'old', willHaveExpired: true, isOfFormerAccount: false },
    replacements: [],
    arrivalMs: FAR,
    nowMs: NOW,
    ...changes,
  };
}

/** What a step changes of a recovery, and what it does besides, as the booking's object would. */
interface Played {
  readonly row: RecoveryRow;
  readonly atMs: number;
  readonly asked: readonly number[];
  readonly flagged: readonly number[];
}

function afterStep({ row: now, atMs, asked, flagged }: Played, step: Step): Played {
  const played = { row: now, atMs, asked, flagged };
  switch (step.kind) {
    case 'wait':
      return { ...played, atMs: step.untilMs ?? atMs };
    case 'warnOfExpiry':
      return { ...played, row: { ...now, toldCard: 'old' } };
    case 'remind': {
      const counts = { asked: now.asked + 1, askedForCause: now.askedForCause + 1 };
      const firstAskedAtMs = now.firstAskedAtMs ?? atMs;
      const { deadlineAtMs } = step;
      return {
        ...played,
        asked: [...asked, atMs],
        row: { ...now, ...counts, firstAskedAtMs, deadlineAtMs },
      };
    }
    case 'setDeadline':
      return { ...played, row: { ...now, deadlineAtMs: step.deadlineAtMs } };
    case 'giveUp':
      return {
        ...played,
        flagged: step.flags ? [...flagged, atMs] : flagged,
        row: { ...now, endedAs: 'unanswered' },
      };
    default:
      throw new Error(`unexpected: ${step.kind}`);
  }
}

/** Plays a recovery that nobody answers, and returns when what happened. */
function play(row: RecoveryRow, property: CardRecovery, arrivalMs: number): Played {
  let played: Played = { row, atMs: NOW, asked: [], flagged: [] };
  for (let steps = 0; steps < 100 && played.row.endedAs === null; steps += 1) {
    const now = { row: played.row, settings: property, arrivalMs, nowMs: played.atMs };
    const step = nextStep(situation(now));
    if (step.kind === 'wait') expect(step.untilMs).toBeGreaterThan(played.atMs);
    played = afterStep(played, step);
  }
  return played;
}

const anySettings = fc
  .record({
    askDaysBefore: fc.integer({ min: 0, max: 90 }),
    deadlineHours: fc.integer({ min: 1, max: 720 }),
    short: fc.integer({ min: 1, max: 720 }),
    maxAsks: fc.integer({ min: 1, max: 10 }),
    flags: fc.boolean(),
  })
  .map(({ short, flags, maxAsks, ...rest }) => ({
    ...settings(maxAsks, flags ? 'flag' : 'none'),
    ...rest,
    shortDeadlineHours: Math.min(short, rest.deadlineHours),
  }));

describe('a recovery that nobody answers', () => {
  it('asks at once and halfway, never more than the property wants, and ends at the deadline', () => {
    fc.assert(
      fc.property(
        anySettings,
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: -50, max: 1_000 }),
        (property, before, arrivalHours) => {
          const arrivalMs = NOW + arrivalHours * HOUR_MS;
          const told = play(row({ asked: before }), property, arrivalMs);
          const deadlineMs = deadlineOf(property, NOW, arrivalMs);
          const most = Math.max(0, Math.min(2, property.maxAsks - before));
          expect(told.asked).toEqual([NOW, Math.floor((NOW + deadlineMs) / 2)].slice(0, most));
          expect(told.asked.every((at) => at < deadlineMs)).toBe(true);
          expect(told.row.asked).toBeLessThanOrEqual(Math.max(before, property.maxAsks));
          expect(told.atMs).toBe(deadlineMs);
          expect(told.flagged).toEqual(property.then === 'flag' ? [deadlineMs] : []);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of a charge to come begins the days before it that the property wants, or at once where that has passed', () => {
    fc.assert(
      fc.property(anySettings, fc.integer({ min: 0, max: 200 }), (property, days) => {
        const chargeAtMs = NOW + days * DAY_MS;
        const told = play(row({ cause: 'expiring', chargeAtMs }), property, FAR);
        const firstMs = Math.max(NOW, chargeAtMs - property.askDaysBefore * DAY_MS);
        expect(told.asked[0]).toBe(firstMs);
        expect(told.atMs).toBe(deadlineOf(property, firstMs, FAR));
      }),
      { numRuns: 200 },
    );
  });

  it('is flagged once, however many causes follow each other', () => {
    const flaggedBefore = row({ flaggedAtMs: NOW - DAY_MS });
    expect(play(flaggedBefore, SETTINGS, FAR).flagged).toEqual([]);
  });
});

describe('deadlineOf', () => {
  it.each([
    ['far', 25, 24],
    ['as far as the deadline', 24, 24],
    ['nearer', 23, 12],
    ['past', -48, 12],
  ])('takes the short deadline where arrival is %s', (_how, arrivalHours, hours) => {
    expect(deadlineOf(SETTINGS, NOW, NOW + arrivalHours * HOUR_MS)).toBe(NOW + hours * HOUR_MS);
  });
});

describe('nextStep', () => {
  const expiring = row({ cause: 'expiring', chargeAtMs: NOW + DAY_MS, toldCard: 'old' });
  const former = row({ cause: 'former', chargeAtMs: NOW + DAY_MS });
  const chargeOn = (cardToken: string) => ({ kind: 'charge', cardToken, amountMinor: 10_000 });

  it.each<[string, Partial<Situation>, object]>([
    ['a cancelled booking', { isCancelled: true }, { kind: 'end', as: 'over' }],
    ['an amount that is paid', { wantedMinor: 0 }, { kind: 'end', as: 'paid' }],
    [
      'an amount that a payment under way may pay',
      { wantedMinor: null },
      { kind: 'wait', untilMs: NOW + 300_000 },
    ],
    [
      'a decline that was corrected',
      { charge: { status: 'Accepted', virtualCard: false } },
      { kind: 'end', as: 'over' },
    ],
    [
      'a charge that was made again',
      { replacements: [{ status: 'Accepted', cardToken: 'new' }] },
      { kind: 'end', as: 'answered' },
    ],
    [
      'one whose outcome is not known',
      {
        replacements: [{ status: 'Processing', cardToken: 'new' }],
        row: row({ answerCard: 'new' }),
      },
      { kind: 'wait', untilMs: NOW + 300_000 },
    ],
    ['a new card', { row: row({ answerCard: 'new' }) }, chargeOn('new')],
    [
      'a new card that was declined too',
      {
        row: row({ answerCard: 'new' }),
        replacements: [{ status: 'Declined', cardToken: 'new' }],
      },
      { kind: 'forgetAnswer' },
    ],
    [
      'a third card after a declined one',
      {
        row: row({ answerCard: 'newer' }),
        replacements: [{ status: 'Declined', cardToken: 'new' }],
      },
      chargeOn('newer'),
    ],
    [
      'a charge that the acquirer did not carry out',
      { row: row({ answerCard: 'new' }), replacements: [{ status: 'Failed', cardToken: 'new' }] },
      chargeOn('new'),
    ],
    [
      'one that it did not carry out three times',
      {
        row: row({ answerCard: 'new' }),
        replacements: Array.from({ length: 3 }, () => ({
          status: 'Failed' as const,
          cardToken: 'new',
        })),
      },
      { kind: 'forgetAnswer' },
    ],
    ['a property that does not ask', { settings: null }, { kind: 'wait', untilMs: null }],
    [
      'a virtual card',
      { charge: { status: 'Declined', virtualCard: true } },
      { kind: 'wait', untilMs: null },
    ],
    [
      'a guest who was asked',
      { row: row({ asked: 1, askedForCause: 1, firstAskedAtMs: NOW, deadlineAtMs: NOW + DAY_MS }) },
      { kind: 'wait', untilMs: NOW + DAY_MS / 2 },
    ],
    [
      'a guest who was asked and did not answer until the deadline',
      { row: row({ asked: 1, askedForCause: 1, firstAskedAtMs: NOW - DAY_MS, deadlineAtMs: NOW }) },
      { kind: 'giveUp', flags: true },
    ],
    [
      'a card that no longer expires in time',
      { row: expiring, card: { token: 'new', willHaveExpired: false, isOfFormerAccount: false } },
      { kind: 'end', as: 'answered' },
    ],
    [
      'another card that expires too',
      { row: expiring, card: { token: 'new', willHaveExpired: true, isOfFormerAccount: false } },
      { kind: 'warnOfExpiry' },
    ],
    [
      'a charge that is being made',
      { row: expiring, charge: { status: 'Processing', virtualCard: false } },
      { kind: 'wait', untilMs: NOW + 300_000 },
    ],
    [
      'a charge that was cancelled',
      { row: expiring, charge: { status: 'Cancelled', virtualCard: false } },
      { kind: 'end', as: 'over' },
    ],
    [
      'a charge to come of what is paid',
      { row: expiring, wantedMinor: 0 },
      { kind: 'wait', untilMs: NOW + DAY_MS },
    ],
    [
      'a charge to come that a payment under way may pay',
      { row: expiring, wantedMinor: null },
      { kind: 'wait', untilMs: NOW + 300_000 },
    ],
    [
      'a card of a former account',
      { row: former, card: { token: 'old', willHaveExpired: true, isOfFormerAccount: true } },
      { kind: 'remind', deadlineAtMs: deadlineOf(SETTINGS, NOW, FAR) },
    ],
    [
      'a card whose account is in use again',
      { row: former, card: { token: 'old', willHaveExpired: false, isOfFormerAccount: false } },
      { kind: 'end', as: 'answered' },
    ],
    [
      'such a card that will have expired',
      { row: former, card: { token: 'old', willHaveExpired: true, isOfFormerAccount: false } },
      { kind: 'expires' },
    ],
  ])('of %s', (_what, changes, step) => {
    expect(nextStep(situation(changes))).toEqual(step);
  });
});

describe('a guest who was asked', () => {
  const waiting = { askedForCause: 1, firstAskedAtMs: NOW, deadlineAtMs: NOW + DAY_MS };

  it.each<[string, Partial<Situation>, boolean]>([
    ['nothing came since', {}, true],
    ['it is halfway to the deadline', { nowMs: NOW + DAY_MS / 2 }, true],
    ['the deadline has passed', { nowMs: NOW + DAY_MS }, false],
    ['the recovery has ended', { row: row({ ...waiting, endedAtMs: NOW }) }, false],
    ['the guest was never asked', { row: row() }, false],
    ['the booking is cancelled', { isCancelled: true }, false],
    ['the amount was paid', { wantedMinor: 0 }, false],
    ['a payment under way may pay it', { wantedMinor: null }, false],
    ['another card is there', { row: row({ ...waiting, answerCard: 'new' }) }, false],
    ['the property asks no longer', { settings: null }, false],
    [
      'the card was replaced by one that is told of first',
      {
        row: row({ ...waiting, cause: 'expiring', chargeAtMs: NOW + DAY_MS, toldCard: 'old' }),
        card: { token: 'new', willHaveExpired: true, isOfFormerAccount: false },
      },
      false,
    ],
  ])('is still asked where %s: %j', (_what, changes, expected) => {
    expect(isStillAsked(situation({ row: row(waiting), ...changes }))).toBe(expected);
  });
});

describe('coveredMinor', () => {
  const declined = (id: number, requestedMinor: number, paidSinceMinor: number) => {
    return { id, requestedMinor, paidSinceMinor, purpose: 'Manual' as const };
  };

  it('counts a payment once, for what was declined first', () => {
    const both = [declined(1, 100, 150), declined(2, 100, 150)];
    expect([...coveredMinor(both)]).toEqual([
      [1, 100],
      [2, 50],
    ]);
  });

  it('counts no payment for what was declined after it', () => {
    expect([...coveredMinor([declined(1, 100, 300), declined(2, 100, 0)])]).toEqual([
      [1, 100],
      [2, 0],
    ]);
  });

  it('leaves bonds out', () => {
    expect(coveredMinor([{ ...declined(1, 100, 100), purpose: 'Bond' }]).get(1)).toBe(undefined);
  });
});

describe('renewalOf', () => {
  const known = cardRow('old', { brand: 'visa', last4: '4242', masked: 'XXXX-XXXX-XXXX-X242' });
  const { expiryMonth, expiryYear } = known;

  it.each([
    ['the same card', { brand: 'visa', last4: '4242', expiryMonth, expiryYear }, null],
    [
      'a later expiry, the brand named in another way',
      { brand: 'VISA', last4: '4242', expiryMonth: 3, expiryYear: 2044 },
      {
        brand: 'visa',
        last4: '4242',
        masked: 'XXXX-XXXX-XXXX-X242',
        expiryMonth: 3,
        expiryYear: 2044,
      },
    ],
    [
      'another number',
      { brand: 'amex', last4: '0005', expiryMonth, expiryYear },
      { brand: 'amex', last4: '0005', masked: 'XXXX-XXXXXX-XX005', expiryMonth, expiryYear },
    ],
  ])('of %s', (_what, said, renewal) => {
    expect(renewalOf(known, { kind: 'card', ...said })).toEqual(renewal);
  });

  it('is none where the acquirer does not know the card, or does not say', () => {
    expect(renewalOf(known, { kind: 'absent' })).toBe(null);
    expect(renewalOf(known, { kind: 'unknown', reason: '' })).toBe(null);
  });
});

describe('problemIn', () => {
  const problem: ProblemRow = {
    transactionId: 1,
    bookingReference: 'R-1',
    cause: 'expiring',
    chargeAtMs: Date.UTC(2027, 6, 2),
    firstAskedAtMs: null,
    deadlineAtMs: null,
    scheduledTime: '2027-07-02T00:00:00Z',
    declineCode: null,
    planId: null,
    parts: null,
    masked: 'XXXX-XXXX-XXXX-X242',
    expiryMonth: 6,
    expiryYear: 2027,
    gatewayAccount: null,
  };
  const property = { merchantAccount: null, timeZone: 'Australia/Perth' };
  const of = (changes: Partial<ProblemRow>, openMinor = 100, nowMs = NOW) =>
    problemIn({ ...problem, ...changes }, property, openMinor, nowMs);

  it.each<[string, Partial<ProblemRow>, string | null]>([
    ['a card that will have expired', {}, 'expires_before'],
    ['a card that is valid then', { expiryMonth: 7 }, null],
    ['a decline', { cause: 'declined', declineCode: 'lost_card' }, 'declined'],
    ['an expired card', { cause: 'declined', declineCode: 'expired_card' }, 'expired'],
    ['a bank that wants the guest', { cause: 'authentication' }, 'needs_authentication'],
    ['a card of a former account', { cause: 'former', gatewayAccount: 'acct_1' }, 'former_account'],
    ['a card of the account in use', { cause: 'former' }, null],
  ])('of %s', (_what, changes, problem) => {
    expect(of(changes)).toBe(problem);
  });

  it('of a decline is none once nothing of it is open', () => {
    expect(of({ cause: 'declined', declineCode: 'lost_card' }, 0)).toBeNull();
  });

  it('of a card that has expired by now', () => {
    expect(of({}, 100, Date.UTC(2027, 6, 1))).toBe('expired');
  });
});

describe('the words that ask', () => {
  const of = (tags: readonly string[]) => ({
    name: 'Demo Property',
    timeZone: 'Australia/Perth',
    guestMails: { languages: tags },
  });
  const booking = { reference: 'R-1', arrival: '2027-07-03', departure: '2027-07-05' };
  const charge = { amountMinor: 12_345, currency: 'AUD', scheduledAtMs: NOW };
  const card = { brand: 'visa', last4: '4242' };
  const expiring = { cause: 'expiring', deadlineAtMs: NOW + 2 * DAY_MS, charge, card } as const;
  const declined = { cause: 'declined', deadlineAtMs: NOW + DAY_MS, charge, card } as const;
  const bank = { cause: 'authentication', deadlineAtMs: NOW + 3 * DAY_MS, charge, card } as const;

  it('name every charge, its reason, and the earliest deadline, but no more of a card than its end', () => {
    expect(
      reminderMail(of([]), booking, [expiring, declined, bank], 'https://x/1'),
    ).toMatchInlineSnapshot(`
      {
        "action": {
          "label": "Replace the card or pay",
          "url": "https://x/1",
        },
        "closing": [
          "Demo Property won't see your card number. If you have already done this, please ignore this message.",
        ],
        "heading": "A payment needs your attention",
        "language": "en",
        "opening": [
          "This is about your stay at Demo Property from 3 July 2027 to 5 July 2027 (R-1).",
          "AUD 123.45 is to be charged on 1 Jun 2027, 08:00. Your Visa card ending in 4242 will have expired by then.",
          "The payment of AUD 123.45 on 1 Jun 2027, 08:00 was declined for your Visa card ending in 4242.",
          "The bank of your Visa card ending in 4242 wants you to confirm the payment of AUD 123.45 on 1 Jun 2027, 08:00 yourself.",
          "Please replace the card or pay now, by 2 Jun 2027, 08:00 (Australia/Perth).",
          "If you add another card, the payment that was declined is charged to it at once.",
        ],
        "subject": "Action needed: your card was declined at Demo Property (R-1)",
      }
    `);
  });

  it('are in the first language of the property that there is, which reads amounts and times its way', () => {
    const words = reminderMail(
      of(['sv', 'de-AT', 'en']),
      booking,
      [expiring, declined, bank],
      'https://x/1',
    );
    expect(words).toMatchInlineSnapshot(`
      {
        "action": {
          "label": "Karte ersetzen oder bezahlen",
          "url": "https://x/1",
        },
        "closing": [
          "Niemand bei Demo Property sieht Ihre Kartennummer. Wenn Sie dies schon erledigt haben, ignorieren Sie diese Nachricht bitte.",
        ],
        "heading": "Eine Zahlung braucht Ihre Aufmerksamkeit",
        "language": "de",
        "opening": [
          "Es geht um Ihren Aufenthalt bei Demo Property vom 3. Juli 2027 bis 5. Juli 2027 (R-1).",
          "123,45 AUD sollen am 01.06.2027, 08:00 abgebucht werden. Ihre Karte (Visa mit den Endziffern 4242) ist bis dahin abgelaufen.",
          "Die Zahlung von 123,45 AUD am 01.06.2027, 08:00 wurde für Ihre Karte (Visa mit den Endziffern 4242) abgelehnt.",
          "Die Bank Ihrer Karte (Visa mit den Endziffern 4242) möchte, dass Sie die Zahlung von 123,45 AUD am 01.06.2027, 08:00 selbst bestätigen.",
          "Bitte ersetzen Sie die Karte oder bezahlen Sie jetzt, bis spätestens 02.06.2027, 08:00 (Australia/Perth).",
          "Wenn Sie eine andere Karte hinzufügen, wird die abgelehnte Zahlung sofort davon abgebucht.",
        ],
        "subject": "Bitte handeln: Ihre Karte wurde abgelehnt – Demo Property (R-1)",
      }
    `);
  });

  it.each(languages)(
    'say in %s what a mail is about, and an expiring card otherwise than a declined one',
    async (language) => {
      const mailOf = async (reminded: RemindedCharge) =>
        layOut(
          { name: 'Demo Property', contact: null, branding: null },
          reminderMail(of([language]), booking, [reminded], 'https://x/1'),
        );
      const [first, second] = [await mailOf(expiring), await mailOf(declined)];
      for (const { subject, text, html } of [first, second]) {
        expect(html).toContain(`<html lang="${language}">`);
        expect(subject).toMatch(/Demo Property.*R-1/);
        const reader = readerOf(language);
        const told = [
          reader.day(booking.arrival),
          reader.day(booking.departure),
          reader.money(12_345, 'AUD'),
          'R-1',
          '4242',
        ];
        expect(told.filter((one) => !text.includes(one))).toEqual([]);
      }
      expect(second.subject).not.toBe(first.subject);
      expect(second.text.split('\n')[0]).not.toBe(first.text.split('\n')[0]);
      // What happens to the declined payment is told only where there is one.
      expect(second.text.split('\n\n').length).toBe(first.text.split('\n\n').length + 1);
    },
  );
});

describe('the next step', () => {
  const expiring = { cause: 'expiring' } as const;

  it.each<[string, Partial<Situation>, Step | { readonly kind: Step['kind'] }]>([
    [
      'of a charge to come moves it to the card that its guest gave',
      { row: row({ ...expiring, answerCard: 'new' }) },
      { kind: 'takeOver', cardToken: 'new' },
    ],
    [
      'of a charge to come without a card is to ask',
      { row: row(expiring), card: null },
      { kind: 'remind' },
    ],
    [
      'of a charge to come whose card went with its account is to ask',
      { row: row({ cause: 'former' }), card: null },
      { kind: 'remind' },
    ],
    [
      'of a declined charge makes it again on the card that its guest gave',
      { row: row({ answerCard: 'new' }) },
      { kind: 'charge', cardToken: 'new', amountMinor: 10_000 },
    ],
    [
      'of a declined charge is none where the property wants no recovery any more',
      { row: row({ answerCard: 'new' }), settings: null },
      { kind: 'wait', untilMs: null },
    ],
    [
      'of a declined charge waits for what is under way, only if the property wants recovery',
      { settings: null, replacements: [{ status: 'Processing', cardToken: 'new' }] },
      { kind: 'wait', untilMs: null },
    ],
  ])('%s', (_what, changes, step) => {
    expect(nextStep(situation(changes))).toMatchObject(step);
  });
});
