import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failure, fieldFailure } from '../../src/core/failure.ts';
import { fieldFaults } from '../../src/http/faults.ts';

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

/** The field and code of every fault in a body, as answers tell them. */
function faultsOf(sent: unknown): string[] {
  const read = body.safeParse(sent);
  return read.success ? [] : fieldFaults(sent, read.error).map((f) => `${f.field}: ${f.code}`);
}

describe('faulty fields', () => {
  test('there are none in a valid body', () => {
    expect(faultsOf(valid)).toEqual([]);
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
      'a fault in one of many',
      { ...valid, rooms: [{ code: 'A' }, {}] },
      ['rooms.1.code: required'],
    ],
    ['a fault with a code of its own', { ...valid, card: '1' }, ['card: invalid_card_number']],
    ['a fault of no code', { ...valid, word: 'x' }, ['word: invalid']],
    ['no object', [], [': invalid_type']],
    ['nothing', undefined, [': required']],
  ])('of %s are told by field and code', (_name, sent, faults) => {
    expect(faultsOf(sent)).toEqual(faults);
  });

  test('are all named at once', () => {
    expect(faultsOf({ status: 1, agent: {}, rooms: [{}, { code: 2 }] }).toSorted()).toEqual([
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
    const faults = read.success ? [] : fieldFaults(sent, read.error);
    expect(faults).toHaveLength(10);
    expect(JSON.stringify(faults)).not.toContain(secret);
  });
});

function fault(field: string, code: string) {
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
    expect(fieldFailure([fault('amount', code), fault('other', code)]).code).toBe(code);
  });

  test.each([
    ['two different faults', ['amount_precision', 'required']],
    ['a fault without a code of its own', ['required']],
    ['a code that is no field’s', ['no_card']],
  ])('is validation_failed with %s', (_name, codes) => {
    const faults = codes.map((code, at) => fault(`field${at}`, code));
    expect(fieldFailure(faults)).toMatchObject({ code: 'validation_failed', fields: faults });
  });

  test('names every faulty field once, and the body itself where it is at fault', () => {
    const faults = [fault('a.b', 'required'), fault('a.b', 'too_big'), fault('', 'invalid_type')];
    expect(fieldFailure(faults).detail).toBe('Not acceptable: a.b, the body.');
  });
});
