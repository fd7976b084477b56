import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failure, fieldFailure, fieldIssue } from '../../src/core/failure.ts';
import { failureCopy, faultsCopy } from '../../src/desk/refusals.ts';
import { inLanguage } from '../../src/desk/words.ts';
import { wrongState } from '../../src/money/payments/rules.ts';
import { beyondDailyLimit } from '../../src/money/refunds/rules.ts';
import { learnAll } from '../support/languages.ts';

learnAll();

const german = (detail: string, code: Parameters<typeof failure>[0] = 'invalid_state') =>
  inLanguage('de', false, () => failureCopy(failure(code, detail)));

/** Where a person of the staff is refused something by a room below the desk. */
const ROOMS =
  'src/{money,booking,operation,reconciliation,records/{bookings,cards,mails,plans}}/**/*.ts';

/** What only callers of the interface and guests are told. */
const NOT_OF_STAFF = [
  'The plan is not as the page showed it any more.',
  'The booking was not cancelled by a quote.',
  'The guest has no card with this token.',
  'The amount is more than is due.',
  'The deposit has changed since the page showed it.',
  'The scheduled charges have changed since the page showed them.',
  'A scheduled charge, a hold or a payment needs this card.',
  'The acquirer did not say that it detached the card. Nothing was erased; try again.',
  'The departure is not past, or the booking changed.',
  'The gateway rejected the card. Nothing was saved.',
  'The card was not taken.',
];

/** The codes whose words the desk has without their sentence. */
const BY_CODE = ['no_card', 'outcome_unknown'] as const;

describe('refusals of the rooms below the desk', () => {
  const said = globSync(ROOMS).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/failure\(\s*'(\w+)',\s*'([^']+)'/g)].map(
      ([, code = '', detail = '']) => [code, detail] as const,
    ),
  );

  it('are found in the source', () => {
    expect(said.length).toBeGreaterThan(35);
    expect(NOT_OF_STAFF.filter((detail) => !said.some(([, one]) => one === detail))).toEqual([]);
  });

  it.each(said.filter(([, detail]) => !NOT_OF_STAFF.includes(detail)))(
    'have German words: %s, %s',
    (code, detail) => {
      const known = BY_CODE.find((one) => one === code);
      expect(german(detail, known)).not.toBe(detail);
    },
  );

  it.each(said.filter(([, detail]) => !NOT_OF_STAFF.includes(detail)))(
    'speak as people at a desk do in English, too: %s, %s',
    (code, detail) => {
      const known = BY_CODE.find((one) => one === code);
      expect(failureCopy(failure(known ?? 'invalid_state', detail))).not.toMatch(
        /gateway|quote|pre-authorization|Idempotency|allowDuplicate|`|[A-Z]{3}_|token|transaction/,
      );
    },
  );

  it('keep what they tell', () => {
    expect(german(wrongState('scheduled charge', { status: 'Accepted' }).detail)).toBe(
      'Der Stand der geplanten Belastung ist Accepted.',
    );
    const limited = beyondDailyLimit({ amountMinor: 6_000, currency: 'EUR' }, [], {
      actor: 'kim',
      limitMinor: 5_000,
      timeZone: 'UTC',
      nowMs: 0,
    });
    const copy = german(limited?.detail ?? '').replaceAll('\u00a0', ' ');
    expect(copy).toContain('EUR 50.00 von einer Buchung am Tag.');
  });

  it('name each faulty field', () => {
    const faults = fieldFailure(
      ['Row 3 has no amount of EUR.', 'Row 4 has a card number.'].map((message) =>
        fieldIssue('text', 'invalid_format', message),
      ),
    );
    expect(inLanguage('de', false, () => faultsCopy(faults))).toBe(
      'Zeile 3 hat keinen Betrag in EUR. Zeile 4 hat eine Kartennummer.',
    );
    expect(faultsCopy(faults)).toBe('Row 3 has no amount of EUR. Row 4 has a card number.');
  });

  it('stay as they are in English, and where nobody has words for them', () => {
    expect(failureCopy(failure('invalid_state', 'The charge is Pending.'))).toBe(
      'The charge is Pending.',
    );
    expect(german('Nobody has said this yet.')).toBe('Nobody has said this yet.');
  });
});
