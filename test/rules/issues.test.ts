import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failure, fieldFailure } from '../../src/core/failure.ts';
import { fieldIssues } from '../../src/http/issues.ts';

const body = z.object({
  reference: z.string().min(1).max(5),
  amount: z.union([z.number(), z.string().regex(/^\d+$/)]),
  status: z.enum(['booked', 'cancelled']),
  email: z.email(),
  nights: z.int().min(1).max(30).optional(),
  agent: z.object({ name: z.string() }).optional(),
  rooms: z.array(z.object({ code: z.string() })).optional(),
  card: z
    .string()
    .refine(() => false, { params: { code: 'invalid_card_number' }, message: 'Not a card number.' })
    .optional(),
  word: z
    .string()
    .refine(() => false, { message: 'Not the word.' })
    .optional(),
});

const valid = { reference: 'R1', amount: 150, status: 'booked', email: 'guest@hotel.com' };

/** The field and code of every issue of a body. */
function issuesOf(sent: unknown): string[] {
  const read = body.safeParse(sent);
  return read.success ? [] : fieldIssues(sent, read.error).map((f) => `${f.field}: ${f.code}`);
}

describe('the issues of a body', () => {
  test('that has several forms are those of the form that it comes closest to', () => {
    const one = z.object({ endpointId: z.string(), eventId: z.string() });
    const all = z.object({ endpointId: z.string(), from: z.iso.date(), count: z.int() });
    const { error } = z.union([all, one]).safeParse({});
    expect(error && fieldIssues({}, error).map(({ field }) => field)).toEqual([
      'endpointId',
      'eventId',
    ]);
    const later = { endpointId: 'E1', from: 'soon', count: 1 };
    const wrong = z.union([one, all]).safeParse(later).error;
    expect(wrong && fieldIssues(later, wrong)).toMatchObject([{ field: 'from' }]);
  });

  test('name a text in the place of a list once, however long it is', () => {
    const { error } = z
      .object({ brands: z.array(z.string()).max(3) })
      .safeParse({ brands: 'visa' });
    expect(error && fieldIssues({ brands: 'visa' }, error)).toMatchObject([
      { field: 'brands', code: 'invalid_type' },
    ]);
  });

  test('name each of two members of a wrong type whose names are withheld', () => {
    const sent = { '4242424242424242': 1, '5555555555554444': 2 };
    const { error } = z.record(z.string(), z.string()).safeParse(sent);
    expect(error && fieldIssues(sent, error)).toMatchObject([
      { field: '(withheld)', code: 'invalid_type' },
      { field: '(withheld)', code: 'invalid_type' },
    ]);
  });

  test('there are none in a valid body', () => {
    expect(issuesOf(valid)).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ['a missing field', { ...valid, reference: undefined }, ['reference: required']],
    ['a null', { ...valid, reference: null }, ['reference: invalid_type']],
    ['a wrong type', { ...valid, reference: 7 }, ['reference: invalid_type']],
    ['no alternative', { ...valid, amount: true }, ['amount: invalid_type']],
    ['a missing alternative', { ...valid, amount: undefined }, ['amount: required']],
    ['too short a text', { ...valid, reference: '' }, ['reference: too_small']],
    ['too long a text', { ...valid, reference: 'abcdef' }, ['reference: too_big']],
    ['too great a number', { ...valid, nights: 31 }, ['nights: too_big']],
    ['no member of a list', { ...valid, status: 'lost' }, ['status: invalid_value']],
    ['a malformed text', { ...valid, email: 'nobody' }, ['email: invalid_format']],
    ['a field missing inside', { ...valid, agent: {} }, ['agent.name: required']],
    ['a wrong type inside', { ...valid, agent: 'A' }, ['agent: invalid_type']],
    [
      'an issue in one of many',
      { ...valid, rooms: [{ code: 'A' }, {}] },
      ['rooms.1.code: required'],
    ],
    ['an issue with a code of its own', { ...valid, card: '1' }, ['card: invalid_card_number']],
    ['an issue without a code', { ...valid, word: 'x' }, ['word: invalid']],
    ['no object', [], [': invalid_type']],
    ['nothing', undefined, [': required']],
  ])('of %s name field and code', (_name, sent, issues) => {
    expect(issuesOf(sent)).toEqual(issues);
  });

  test('are all listed at once', () => {
    expect(issuesOf({ status: 1, agent: {}, rooms: [{}, { code: 2 }] }).toSorted()).toEqual([
      'agent.name: required',
      'amount: required',
      'email: required',
      'reference: required',
      'rooms.0.code: required',
      'rooms.1.code: invalid_type',
      'status: invalid_value',
    ]);
  });

  test('never repeat a value that was sent', () => {
    const secret = '4242424242424242';
    const sent = {
      reference: secret,
      amount: `${secret}x`,
      status: secret,
      email: secret,
      nights: Number(secret),
      agent: secret,
      rooms: [{ code: Number(secret) }, secret],
      card: secret,
      word: secret,
    };
    const read = body.safeParse(sent);
    const issues = read.success ? [] : fieldIssues(sent, read.error);
    expect(issues).toHaveLength(10);
    expect(JSON.stringify(issues)).not.toContain(secret);
  });
});

function issue(field: string, code: string) {
  return { field, code, message: 'A sentence.' };
}

describe('a failure', () => {
  test('has further members only where it is given some', () => {
    expect(Object.keys(failure('busy', 'Try again.'))).toEqual(['code', 'detail']);
    const members = { declineCode: 'lost_card' };
    expect(failure('card_declined', 'Declined.', members)).toEqual({
      code: 'card_declined',
      detail: 'Declined.',
      members,
    });
  });
});

describe('the failure of a body', () => {
  test.each([
    'amount_precision',
    'amount_out_of_range',
    'card_expired',
    'time_in_past',
    'time_too_far',
  ])('carries %s when that is all that is wrong', (code) => {
    expect(fieldFailure([issue('amount', code), issue('other', code)]).code).toBe(code);
  });

  test.each([
    ['two different issues', ['amount_precision', 'required']],
    ['an issue without a code of its own', ['required']],
    ['a code that is no field’s', ['no_card']],
  ])('is validation_failed with %s', (_name, codes) => {
    const issues = codes.map((code, at) => issue(`field${at}`, code));
    expect(fieldFailure(issues)).toMatchObject({ code: 'validation_failed', fields: issues });
  });

  test('names every invalid field once, and the body itself if it is invalid', () => {
    const issues = [issue('a.b', 'required'), issue('a.b', 'too_big'), issue('', 'invalid_type')];
    expect(fieldFailure(issues).detail).toBe('Not acceptable: a.b, the body.');
  });
});
