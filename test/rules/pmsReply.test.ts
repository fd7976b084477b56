import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../../src/core/result.ts';
import {
  confirmationNumberIn,
  isRefusal,
  ownPart,
  type PmsFormat,
  readReply,
} from '../../src/pms/rules/reply.ts';

const ID = '0190a3f0-0000-7000-8000-000000000001';
const CARD = '4242 4242 4242 4242';

const formats: PmsFormat[] = ['JSON', 'XML'];

/** A reply with these members, in either format. */
function reply(format: PmsFormat, members: Readonly<Record<string, string>>): string {
  if (format === 'JSON') return JSON.stringify(members);
  const written = Object.entries(members).map(
    ([name, text]) => `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">' +
    `<s:Body><TransactionNotifRS xmlns="urn:x">${written.join('')}</TransactionNotifRS></s:Body></s:Envelope>`
  );
}

const good = { MessageID: ID, TimeStamp: '2026-10-01T20:00:01+08:00', Status: 'Success' };

describe.each(formats)('a reply in %s', (format) => {
  it.each([200, 201, 202, 299])(
    'confirms a message with %i, Success and its MessageID',
    (status) => {
      expect(readReply({ status, text: reply(format, good) }, format, ID)).toEqual(ok(good));
    },
  );

  it.each([100, 199, 300, 302, 304, 400, 401, 404, 409, 429, 500, 503, 599])(
    'confirms nothing with %i',
    (status) => {
      const read = readReply({ status, text: reply(format, good) }, format, ID);
      expect(read).toEqual(err(`HTTP ${status}`));
    },
  );

  it.each([
    'Error',
    'success',
    'SUCCESS',
    'Success!',
    'Successful',
    'Suc cess',
    'Ѕuccess',
    'true',
    '',
  ])('confirms nothing with the Status %j', (Status) => {
    const read = readReply({ status: 200, text: reply(format, { ...good, Status }) }, format, ID);
    expect(read).toEqual(err('Status is not Success'));
  });

  it.each([
    ID.toUpperCase(),
    ID.slice(0, -1),
    `${ID}0`,
    `{${ID}}`,
    ID.replace('a', 'b'),
    '',
    'null',
  ])('confirms nothing with the MessageID %j', (MessageID) => {
    const text = reply(format, { ...good, MessageID });
    const read = readReply({ status: 200, text }, format, ID);
    expect(read).toEqual(err('the reply has another MessageID'));
  });

  it.each([200, 202, 400, 401, 404, 409, 422])('is a refusal with Error and %i', (status) => {
    const { MessageID: _, ...unnamed } = good;
    for (const members of [good, unnamed, { ...good, MessageID: '' }]) {
      const text = reply(format, { ...members, Status: 'Error' });
      expect(isRefusal({ status, text }, format, ID)).toBe(true);
    }
  });

  it('is no refusal where the PMS does not say so of this message', () => {
    const error = { ...good, Status: 'Error' };
    expect(isRefusal({ status: 429, text: reply(format, error) }, format, ID)).toBe(false);
    const others = [
      reply(format, good),
      reply(format, { ...good, Status: 'Failure' }),
      reply(format, { ...good, Status: 'error' }),
      reply(format, { ...error, MessageID: ID.replace('a', 'b') }),
      '<h1>Error</h1>',
      '',
    ];
    for (const text of others) {
      for (const status of [200, 302, 400, 404]) {
        expect(isRefusal({ status, text }, format, ID)).toBe(false);
      }
    }
  });

  it('confirms nothing without a Status or a MessageID', () => {
    const { Status, ...noStatus } = good;
    const { MessageID, ...noId } = good;
    const read = [noStatus, noId].map((members) =>
      readReply({ status: 200, text: reply(format, members) }, format, ID),
    );
    expect(read).toEqual([err('Status is not Success'), err('the reply has another MessageID')]);
    expect([Status, MessageID]).toEqual(['Success', ID]);
  });

  it('confirms nothing where it is not in that format', () => {
    const other = format === 'JSON' ? 'XML' : 'JSON';
    for (const text of ['', ' ', 'Success', '<html>', '{', '[]', reply(other, good)]) {
      expect(readReply({ status: 200, text }, format, ID)).toEqual(
        err(`HTTP 200, but no readable ${format} reply`),
      );
      expect(readReply({ status: 404, text }, format, ID)).toEqual(err('HTTP 404'));
    }
    expect(readReply({ status: 204, text: '' }, format, ID)).toEqual(
      err(`HTTP 204, but no readable ${format} reply`),
    );
  });

  it('tells the PMS’s own words, whether it says so with its status or not', () => {
    const words = { ...good, Status: 'Error', ErrorMessage: 'Room <STD> & rate unknown' };
    const text = reply(format, words);
    expect(readReply({ status: 200, text }, format, ID)).toEqual(
      err('Status is not Success: Room <STD> & rate unknown'),
    );
    expect(readReply({ status: 422, text }, format, ID)).toEqual(
      err('HTTP 422: Room <STD> & rate unknown'),
    );
  });

  it.each([
    ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
    ['201 characters', `${'x'.repeat(200)}y`, 'x'.repeat(200)],
    ['very many', 'xy'.repeat(50_000), 'xy'.repeat(100)],
    [
      'a character of two code units at the cut',
      `${'x'.repeat(199)}\u{1F600}`,
      `${'x'.repeat(199)}\u{FFFD}`,
    ],
  ])('tells at most 200 of its words: %s', (_, ErrorMessage, told) => {
    const text = reply(format, { ...good, ErrorMessage });
    expect(readReply({ status: 400, text }, format, ID)).toEqual(err(`HTTP 400: ${told}`));
  });

  it.each([
    CARD,
    '4242424242424242',
    '4242-4242-4242-4242',
    `Card ${CARD} was declined`,
    `${'x'.repeat(190)} ${CARD}`,
    `${'x'.repeat(500)} ${CARD}`,
    '990 4242.4242.4242.4242',
  ])('tells none of its words where they hold a card number: %s', (ErrorMessage) => {
    const text = reply(format, { ...good, Status: 'Error', ErrorMessage });
    expect(readReply({ status: 500, text }, format, ID)).toEqual(err('HTTP 500'));
    expect(readReply({ status: 200, text }, format, ID)).toEqual(err('Status is not Success'));
  });

  it('never throws, and confirms nothing that was made up', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant(reply(format, {})));
    fc.assert(
      fc.property(text, fc.integer({ min: 100, max: 599 }), (made, status) => {
        expect(readReply({ status, text: made }, format, ID).ok).toBe(false);
      }),
    );
  });
});

describe('a reply in JSON', () => {
  it.each([
    ['a Status that is no text', { ...good, Status: true }],
    ['a Status in a list', { ...good, Status: ['Success'] }],
    ['a MessageID in a list', { ...good, MessageID: [ID] }],
    ['members one level down', { Reply: good }],
    ['a Status under __proto__', JSON.parse('{"__proto__":{"Status":"Success"}}')],
    ['names in small letters', { messageid: ID, status: 'Success' }],
  ])('confirms nothing with %s', (_, members) => {
    const text = JSON.stringify(members);
    expect(readReply({ status: 200, text }, 'JSON', ID).ok).toBe(false);
  });

  it.each(['null', 'true', '1', '"Success"', '[]', `[${JSON.stringify(good)}]`])(
    'confirms nothing when it is no object: %s',
    (text) => {
      const read = readReply({ status: 200, text }, 'JSON', ID);
      expect(read).toEqual(err('HTTP 200, but no readable JSON reply'));
    },
  );

  it.each([1, true, null, ['words'], { text: 'words' }, ''])(
    'has no words where they are no text: %j',
    (ErrorMessage) => {
      const text = JSON.stringify({ ...good, ErrorMessage });
      expect(readReply({ status: 400, text }, 'JSON', ID)).toEqual(err('HTTP 400'));
    },
  );

  it('confirms exactly when everything is right', () => {
    const mostly = <T>(right: T, ...wrong: T[]) => fc.constantFrom(right, right, ...wrong);
    const status = mostly(200, 204, 199, 300, 500);
    const Status = mostly<unknown>('Success', 'Error', null, true, ' Success');
    const MessageID = mostly<unknown>(ID, ID.toUpperCase(), `${ID} `, null, 1);
    const rest = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(status, Status, MessageID, rest, (code, state, id, others) => {
        const members = { ...others, Status: state, MessageID: id };
        const read = readReply({ status: code, text: JSON.stringify(members) }, 'JSON', ID);
        const right = [200, 204].includes(code) && state === 'Success' && id === ID;
        expect(read.ok).toBe(right);
      }),
    );
  });
});

describe('a reply in XML', () => {
  it('may be indented: white space around a text is no part of it', () => {
    const text = reply('XML', { Status: '\n  Success\n', MessageID: `\t${ID} ` });
    expect(readReply({ status: 200, text }, 'XML', ID).ok).toBe(true);
  });

  it.each([
    ['a Status twice', '<Status>Success</Status><Status>Success</Status>'],
    ['a Status and its opposite', '<Status>Success</Status><Status>Error</Status>'],
    ['a Status inside a Status', '<Status><Status>Success</Status></Status>'],
    ['a Status that is an attribute', '<Reply Status="Success"/>'],
    ['a Status in a comment', '<!-- <Status>Success</Status> -->'],
    ['a Status in CDATA', '<![CDATA[<Status>Success</Status>]]>'],
    ['a Status written as text', '&lt;Status&gt;Success&lt;/Status&gt;'],
  ])('confirms nothing with %s', (_, status) => {
    const text = reply('XML', { MessageID: ID }).replace('<MessageID>', `${status}<MessageID>`);
    expect(readReply({ status: 200, text }, 'XML', ID)).toEqual(err('Status is not Success'));
  });

  it('confirms nothing with a DOCTYPE, however right the rest', () => {
    const text = reply('XML', good).replace('?>', '?><!DOCTYPE Envelope>');
    expect(readReply({ status: 200, text }, 'XML', ID)).toEqual(
      err('HTTP 200, but no readable XML reply'),
    );
  });
});

describe('the own part of a reason', () => {
  it('holds nothing that the PMS says, whatever that is and wherever it stands', () => {
    const words = fc.string({ minLength: 1, maxLength: 300, unit: 'binary' });
    fc.assert(
      fc.property(words, fc.constantFrom(200, 400, 599), (ErrorMessage, status) => {
        const text = JSON.stringify({ ...good, Status: 'Error', ErrorMessage });
        const read = readReply({ status, text }, 'JSON', ID);
        expect(ownPart(read.ok ? null : read.error)).toBe(
          status === 200 ? 'Status is not Success' : `HTTP ${status}`,
        );
      }),
    );
  });

  it.each([
    null,
    'HTTP 503',
    'Status is not Success',
    'HTTP 200, but no readable JSON reply',
    'the reply has another MessageID',
    'no answer within 15 s',
    'Network connection lost.',
  ])('is all of what this service says itself: %s', (reason) => {
    expect(ownPart(reason)).toBe(reason);
  });
});

describe('the confirmation number in a reply', () => {
  it.each([
    ['a text', 'PMS-77', 'PMS-77'],
    ['a text with zeros in front', '0077', '0077'],
    ['a number', 77, '77'],
    ['the number zero', 0, '0'],
    ['the largest whole number that JSON reads rightly', 9_007_199_254_740_991, '9007199254740991'],
    ['100 characters', 'x'.repeat(100), 'x'.repeat(100)],
    ['the last digits of a card', '4242', '4242'],
    ['sixteen digits that are no card number', '4242424242424243', '4242424242424243'],
  ])('is kept when it is %s', (_, PMSConfirmationNumber, kept) => {
    expect(confirmationNumberIn({ ...good, PMSConfirmationNumber })).toBe(kept);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['101 characters', 'x'.repeat(101)],
    ['a card number', CARD],
    ['a card number without spaces', '4242424242424242'],
    ['a card number as a number', 4_242_424_242_424_242],
    ['a card number among others', `PMS-${CARD}-77`],
    ['a number that lost its last digits', JSON.parse('12345678901234567890')],
    ['a number with decimals', 7.5],
    ['a number beyond all', 1e300],
    ['a truth', true],
    ['a list', ['PMS-77']],
    ['an object', { text: 'PMS-77' }],
    ['a text with a line break', 'PMS-77\r\nBcc: guest@hotel.com'],
    ['a text with a null character', 'PMS\u0000-77'],
    ['a text with half a character', 'PMS-\ud800'],
  ])('is not kept when it is %s', (_, PMSConfirmationNumber) => {
    expect(confirmationNumberIn({ ...good, PMSConfirmationNumber })).toBeNull();
  });

  it('is not there when the reply has none', () => {
    expect(confirmationNumberIn(good)).toBeNull();
  });
});
