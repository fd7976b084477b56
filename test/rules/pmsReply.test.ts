import { describe, expect, it } from 'vitest';
import { confirmationNumberIn, readReply } from '../../src/pms/reply.ts';

const ID = '01998f00-0000-7000-8000-000000000000';
const right = { MessageID: ID, TimeStamp: 't', Status: 'Success' };
const json = (status: number, value: unknown) =>
  readReply(
    { status, text: typeof value === 'string' ? value : JSON.stringify(value) },
    'JSON',
    ID,
  );

describe('a reply', () => {
  it.each([200, 201, 299])('with HTTP %i, Success and the same MessageID confirms', (status) => {
    expect(json(status, right)).toEqual({ ok: true, value: right });
  });

  it.each<[string, number, unknown, RegExp]>([
    ['a 4xx', 404, right, /^HTTP 404$/],
    ['a redirect', 302, right, /^HTTP 302$/],
    ['no JSON', 200, '<h1>hello</h1>', /no readable JSON/],
    ['an array', 200, [right], /no readable JSON/],
    ['null', 200, 'null', /no readable JSON/],
    ['nothing', 204, '', /no readable JSON/],
    ['an error', 200, { ...right, Status: 'Error' }, /^Status is not Success$/],
    ['an error in words', 200, { ...right, Status: 'Error', ErrorMessage: 'full' }, /: full$/],
    ['a Status in lower case', 200, { ...right, Status: 'success' }, /not Success/],
    ['no Status', 200, { MessageID: ID }, /not Success/],
    ['another MessageID', 200, { ...right, MessageID: 'x' }, /another MessageID/],
    ['a MessageID in capitals', 200, { ...right, MessageID: ID.toUpperCase() }, /another/],
    ['no MessageID', 200, { Status: 'Success' }, /another MessageID/],
  ])('with %s confirms nothing', (_name, status, value, why) => {
    const reply = json(status, value);
    expect(reply.ok).toBe(false);
    expect(reply.ok ? '' : reply.error).toMatch(why);
  });

  it('is quoted only in part, and not at all where it holds a card number', () => {
    const long = json(500, { ErrorMessage: 'x'.repeat(1_000) });
    expect(long.ok ? '' : long.error).toHaveLength('HTTP 500: '.length + 200);
    const leaking = json(200, {
      ...right,
      Status: 'Error',
      ErrorMessage: 'card 4242 4242 4242 4242',
    });
    expect(leaking.ok ? '' : leaking.error).toBe('Status is not Success');
  });

  it('to SOAP is read as SOAP only', () => {
    const xml = `<E:Envelope xmlns:E="e"><E:Body><TransactionNotifRS><MessageID>${ID}</MessageID><Status>Success</Status></TransactionNotifRS></E:Body></E:Envelope>`;
    expect(readReply({ status: 200, text: xml }, 'XML', ID).ok).toBe(true);
    expect(readReply({ status: 200, text: JSON.stringify(right) }, 'XML', ID).ok).toBe(false);
    expect(json(200, xml).ok).toBe(false);
  });
});

describe('a confirmation number', () => {
  it.each([
    ['PMS-1', 'PMS-1'],
    [4711, '4711'],
    ['', null],
    [null, null],
    [{}, null],
    [undefined, null],
    ['x'.repeat(101), null],
    ['4242424242424242', null],
  ])('%j is kept as %j', (value, kept) => {
    expect(confirmationNumberIn({ PMSConfirmationNumber: value })).toBe(kept);
  });
});
