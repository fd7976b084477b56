/** What a guest's page says of a plan, of a cancellation and of a card, in English and by another language's files. */
import { describe, expect, it } from 'vitest';
import { englishReader, readerOf } from '../../src/core/words/reader.ts';
import type { CancellationQuote } from '../../src/money/settlements/quote.ts';
import type { PlanTerm } from '../../src/schema/planSpec.ts';
import type { PlanPart } from '../../src/schema/planTables.ts';
import { cancelWords } from '../../src/sites/guest/rules/cancelWords.ts';
import { cardSentences } from '../../src/sites/guest/rules/cardSentences.ts';
import { partLine, planWords, scheduledLine } from '../../src/sites/guest/rules/planWords.ts';
import { themeOf } from '../../src/sites/guest/rules/theme.ts';
import { learnAll } from '../support/languages.ts';
import { bookedRow, propertyRow } from './rows.ts';

learnAll();

/** Without what keeps a name in its direction, and the spaces of amounts that do not break. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ');

describe('what cancelling comes to', () => {
  const NOTHING = {
    keepMinor: 0,
    paidMinor: 0,
    uncollectableMinor: 0,
    unrefundableMinor: 0,
    planId: null,
    charge: null,
    bonds: [],
    cancelledSchedules: [],
    captures: [],
    refunds: [],
    releases: [],
  };
  const visa = { brand: 'visa', last4: '1111', virtual: null };
  /** What goes back of a charge with a fee of 6.00, of which 2.00 was refunded before. */
  const backOf = (requestedMinor: number, withFeesMinor: number) => {
    const refundReservedMinor = 200;
    const charge = { requestedMinor, amountMinor: requestedMinor + 600, refundReservedMinor };
    return { charge, withFeesMinor };
  };
  const priced = (requestedMinor: number, transactionFeeMinor: number, cardFeeMinor: number) => ({
    requestedMinor,
    transactionFeeMinor,
    cardFeeMinor,
    amountMinor: requestedMinor + transactionFeeMinor + cardFeeMinor,
  });
  const wordsOf = (decided: object, reader = englishReader) => {
    const quote = { ...NOTHING, ...decided } as unknown as CancellationQuote;
    const state = { booking: bookedRow(), property: propertyRow() };
    return cancelWords(reader, quote, state).map(plain);
  };

  it('is nothing, where nothing is kept', () => {
    expect(wordsOf({})).toEqual(['Cancelling is free of charge.']);
  });

  it('is what is kept, then what is taken from holds and the card, given back and let go of', () => {
    const decided = {
      keepMinor: 20_000,
      captures: [{ priced: priced(5_150, 0, 0) }],
      charge: { card: visa, priced: priced(10_300, 0, 0) },
      refunds: [backOf(3_600, 4_000)],
      bonds: [backOf(2_600, 3_000)],
      releases: [{ amountMinor: 2_000 }],
    };
    expect(wordsOf(decided)).toEqual([
      'Demo Property keeps AUD 200.00 for the cancellation.',
      'AUD 51.50 of what is held on your card is charged.',
      'AUD 103.00 is charged to Visa ending in 1111.',
      'AUD 40.00 is refunded to you.',
      'AUD 30.00 is refunded to you.',
      'AUD 20.00 is no longer held on your card.',
    ]);
    expect(wordsOf(decided, readerOf('de'))[0]).toContain('200,00');
  });

  it('names what was paid and the fees in what is taken, so that the sums can be followed', () => {
    const decided = {
      keepMinor: 20_000,
      paidMinor: 5_000,
      captures: [{ priced: priced(5_000, 0, 150) }],
      charge: { card: visa, priced: priced(10_000, 30, 309) },
    };
    expect(wordsOf(decided)).toEqual([
      'Demo Property keeps AUD 200.00 for the cancellation.',
      'You have paid AUD 50.00 for your stay so far.',
      'AUD 51.50 of what is held on your card is charged.',
      'This includes a card fee of AUD 1.50.',
      'AUD 103.39 is charged to Visa ending in 1111.',
      'This includes a card fee of AUD 3.39.',
    ]);
  });

  it('is not free where the fees of what goes back are kept', () => {
    expect(wordsOf({ refunds: [backOf(10_200, 10_000)], bonds: [backOf(5_200, 5_400)] })).toEqual([
      'AUD 100.00 is refunded to you.',
      'AUD 54.00 is refunded to you.',
      'The card fee of AUD 8.00 is not refunded.',
    ]);
  });

  it('names what no card can pay', () => {
    expect(wordsOf({ keepMinor: 20_000, uncollectableMinor: 20_000 })).toEqual([
      'Demo Property keeps AUD 200.00 for the cancellation.',
      'AUD 200.00 is still to be paid: Demo Property will contact you.',
    ]);
  });

  it('names what no card can be given back', () => {
    expect(wordsOf({ paidMinor: 20_000, unrefundableMinor: 20_000 })).toEqual([
      'Cancelling is free of charge.',
      'You have paid AUD 200.00 for your stay so far.',
      'AUD 200.00 cannot be refunded to your card: Demo Property will contact you.',
    ]);
  });

  it('leaves an agency’s card between the agency and the property', () => {
    const charge = { card: { ...visa, virtual: {} }, priced: priced(10_000, 0, 309) };
    expect(wordsOf({ keepMinor: 10_000, charge })).toHaveLength(1);
  });

  it.each([
    ['schedules', { cancelledSchedules: [{ amountMinor: 100 }, { amountMinor: 200 }] }],
    ['a plan', { planId: 'p1' }],
  ])('says once that charges end with it: %s', (_of, decided) => {
    const [, ...moved] = wordsOf(decided);
    expect(moved).toEqual(['Planned charges are cancelled.']);
  });
});

describe('what a card is kept for', () => {
  const said = (...of: [kind: 'payment' | 'saved', showsCharges: boolean]) =>
    plain(cardSentences(englishReader, of[0], { name: 'Demo Property' }, of[1]));

  it.each(['payment', 'saved'] as const)('is said for: %s', (kind) => {
    expect(said(kind, false)).toMatch(/Demo Property.*\.$/);
    expect(said(kind, true)).toBe(
      `${said(kind, false)} This includes the automatic charges shown on this page.`,
    );
  });

  it('differs between a payment and a card that is saved', () => {
    expect(said('payment', false)).not.toBe(said('saved', false));
  });
});

const DAY = Date.parse('2027-02-01T04:00:00Z');

function part(changes: Partial<PlanPart>): PlanPart {
  return {
    id: 't1',
    amountMinor: 10_000,
    coveredMinor: 0,
    broughtMinor: 0,
    termsAtMs: DAY,
    dueAtMs: DAY,
    status: 'planned',
    chargeId: null,
    chargeStatus: null,
    hasEnded: false,
    ...changes,
  };
}

function term(label: string | null): PlanTerm {
  const due = { anchor: 'now', date: null, days: 0, time: null } as const;
  return { label, purpose: 'Balance', share: { kind: 'rest' }, due };
}

describe('a charge to come', () => {
  const zone = 'Australia/Perth';

  it('is its amount and its time by the property’s clock', () => {
    const row = { amountMinor: 15_450, createdAtMs: 0, currency: 'AUD', scheduledAtMs: DAY };
    const line = scheduledLine({ ...row, dueAtMs: null }, zone, englishReader);
    expect(plain(line)).toMatch(/^AUD 154\.50 on 1 Feb 2027.*12:00/);
  });

  it('as a part of a plan is what the part lacks, after the name of its term', () => {
    const plan = { currency: 'AUD', spec: { terms: [term('Deposit'), term(null)], repeat: null } };
    const lacking = part({ coveredMinor: 1_000, broughtMinor: 500 });
    const named = plain(partLine(plan, lacking, zone, englishReader));
    expect(named).toMatch(/^Deposit: AUD 85\.00 on 1 Feb 2027/);
    const unnamed = plain(partLine(plan, { ...lacking, id: 't2' }, zone, englishReader));
    expect(unnamed).toBe(named.slice('Deposit: '.length));
  });
});

describe('what choosing a plan says', () => {
  const said = (property = propertyRow()) => {
    const spec = { terms: [term('First'), term('Second')], repeat: null };
    const parts = [part({}), part({ id: 't2', amountMinor: 2_550, dueAtMs: DAY + 86_400_000 })];
    const template = { name: 'parts', label: null, spec } as unknown as Parameters<
      typeof planWords
    >[1]['template'];
    const words = planWords(englishReader, { parts, template }, property, 'Visa 4242');
    return { ...words, parts: words.parts.map(plain), said: words.said.map(plain) };
  };

  it('is each part, their sum, the card, and what the guest agrees to', () => {
    const words = said();
    expect(words.parts).toEqual([
      expect.stringMatching(/^First: AUD 100\.00 on 1 Feb/),
      expect.stringMatching(/^Second: AUD 25\.50 on 2 Feb/),
    ]);
    expect(plain(words.total)).toBe('In all: AUD 125.50');
    expect(words.said).toEqual([
      expect.stringMatching(/charged automatically to Visa 4242/),
      expect.stringMatching(/you agree that Demo Property may charge/),
    ]);
  });

  it('warns of fees exactly where the property has some', () => {
    const { said: sentences } = said(propertyRow({ cardFeeBasisPoints: 150 }));
    expect(sentences[1]).toBe('A card fee may be added to each amount.');
    expect(sentences).toHaveLength(3);
  });
});

describe('a property’s colour', () => {
  it('is used as it is, and for links darker or lighter until they can be read', () => {
    expect(themeOf('336699')).toMatchSnapshot();
    expect(themeOf('FFFF00')).toMatchSnapshot();
    expect(themeOf('000000')).toMatchSnapshot();
  });

  it.each(['', 'red', '#336699', '33669', '3366999', '33669g', 'x336699'])(
    'is none for: %s',
    (colour) => {
      expect(themeOf(colour)).toBe(null);
    },
  );
});
