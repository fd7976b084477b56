import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/environment.ts';
import type { Behaviour } from '../../scripts/pms/behaviour.ts';
import { type ReferencePms, startPms } from '../../scripts/pms/server.ts';
import { freePort } from '../../scripts/service.ts';
import { PATIENCE_MS } from '../support/eventually.ts';

let pms: ReferencePms;

beforeEach(async () => {
  pms = await startPms({ port: 0 });
});

afterEach(() => pms.stop());

const Authentication = { Username: 'pms-user', Password: 'pms-pass' };

const booking = {
  Reference: 'ABC123',
  ChannelName: 'demo.localhost',
  ChannelID: 'demo',
  Created: '2027-01-05T10:00:00+08:00',
  ArrivalDate: '2027-02-14',
  DepartureDate: '2027-02-17',
  ETA: '',
  Notes: '',
  Guest: {
    Prefix: '',
    FirstName: '',
    MiddleNames: '',
    LastName: 'Nguyen',
    Suffix: '',
    Company: '',
    Phone: '',
    Mobile: '',
    Fax: '',
    Email: 'guest@hotel.com',
    Address: '',
    City: '',
    State: '',
    PostCode: '',
    Country: '',
  },
  RoomStays: [
    {
      RoomTypeCode: 'STD',
      RoomTypeName: 'Standard Studio',
      RateTypeCode: 'BAR',
      RateTypeName: 'Best available',
      StartDate: '2027-02-14',
      EndDate: '2027-02-17',
      Adults: 2,
      Children: null,
      Amount: '600.00',
      Currency: 'AUD',
    },
  ],
};

const transaction = {
  TransactionID: '1042',
  RelatedReference: 'ABC123',
  RelatedSource: 'demo',
  GatewayID: 'sandbox',
  GatewayReference: 'ch_1',
  CardMask: 'XXXXXXXXXXXX4242',
  CardType: 'visa',
  Type: 'Payment',
  Currency: 'AUD',
  CardFee: '4.64',
  TransactionFee: '0.00',
  AmountNet: '150.00',
  AmountGross: '154.64',
  ProcessedTime: '2027-01-05T10:00:00+08:00',
  Description: '',
};

function envelope(MessageType: string, members: Record<string, unknown> = {}) {
  const TimeStamp = '2027-01-05T10:00:01+08:00';
  return { Authentication, MessageID: randomUUID(), TimeStamp, MessageType, ...members };
}

const pushBooking = (changes: Record<string, unknown> = {}) =>
  envelope('PushBooking', { BookingData: { ...booking, ...changes } });

const pushTransaction = (changes: Record<string, unknown> = {}) =>
  envelope('PushTransaction', { TransactionData: { ...transaction, ...changes } });

function post(body: string, contentType = 'application/json', init: RequestInit = {}) {
  const headers = { 'Content-Type': contentType };
  return fetch(pms.url, { method: 'POST', headers, body, redirect: 'manual', ...init });
}

/** Posts JSON and returns the JSON it is answered with. */
async function exchange(message: unknown): Promise<Record<string, unknown>> {
  const response = await post(JSON.stringify(message));
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  return (await response.json()) as Record<string, unknown>;
}

const toControl = (route: string, body: unknown) =>
  fetch(`${pms.base}${route}`, { method: 'POST', body: JSON.stringify(body) });

async function tell(behaviour: Behaviour): Promise<void> {
  expect((await toControl('/behave', behaviour)).status).toBe(200);
}

describe('messages as JSON', () => {
  it('echoes a ping and keeps what it got', async () => {
    const EchoData = 'Hello "PMS" <&> 🏨';
    const ping = envelope('Ping', { EchoData });
    const { MessageID, TimeStamp } = ping;
    expect(await exchange(ping)).toEqual({ MessageID, TimeStamp, EchoData, Status: 'Success' });
    expect(pms.received()).toEqual([
      {
        messageId: MessageID,
        messageType: 'Ping',
        timeStamp: TimeStamp,
        format: 'JSON',
        namespace: null,
        contentType: 'application/json',
        contentLength: Buffer.byteLength(JSON.stringify(ping)),
        data: null,
        reference: null,
        receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        duplicate: false,
        answered: 'right',
        refusal: null,
        bytesTaken: null,
      },
    ]);
  });

  it('tells of its rooms and rates, or of others when told to', async () => {
    const first = await exchange(envelope('GetPropertyInfo'));
    expect(first['PropertyData']).toMatchObject({
      PropertyName: 'Demo Property',
      RoomTypes: expect.arrayContaining([
        {
          RoomTypeCode: 'STD',
          RoomTypeName: 'Standard Studio',
          RateTypes: [
            { RateTypeCode: 'BAR', RateTypeName: 'Best available' },
            { RateTypeCode: 'LONG', RateTypeName: 'Long stay' },
          ],
        },
      ]),
    });
    const RateTypes = [{ RateTypeCode: 'R', RateTypeName: 'Rate' }];
    const RoomTypes = [{ RoomTypeCode: 'X', RoomTypeName: 'Annexe', RateTypes }];
    await toControl('/catalogue', { RoomTypes });
    const second = await exchange(envelope('GetPropertyInfo'));
    expect(second['PropertyData']).toEqual({ PropertyName: 'Demo Property', RoomTypes });
    expect((await toControl('/catalogue', { RoomTypes: [{}] })).status).toBe(400);
  });

  it('gives each booking one confirmation number and keeps it', async () => {
    expect(await exchange(pushBooking())).toMatchObject({ PMSConfirmationNumber: 'PMS-1001' });
    const other = await exchange(pushBooking({ Reference: 'OTHER' }));
    expect(other['PMSConfirmationNumber']).toBe('PMS-1002');
    const BookingData = { ...booking, PMSConfirmationNumber: 'PMS-1001' };
    const modified = await exchange(envelope('PushModification', { BookingData }));
    expect(modified['PMSConfirmationNumber']).toBe('PMS-1001');
    const CancellationData = { Reference: 'ABC123', PMSConfirmationNumber: 'PMS-1001' };
    const cancelled = await exchange(envelope('PushCancellation', { CancellationData }));
    expect(cancelled).toMatchObject({ Status: 'Success' });
    expect(cancelled).not.toHaveProperty('PMSConfirmationNumber');
    expect(await exchange(pushTransaction())).toMatchObject({ Status: 'Success' });
    expect(pms.received().map(({ reference }) => reference)).toEqual([
      'ABC123',
      'OTHER',
      'ABC123',
      'ABC123',
      'ABC123',
    ]);
    expect(pms.received().at(-1)?.data).toEqual(transaction);
    expect(pms.counts()).toEqual({
      duplicates: 0,
      unknownReferences: 0,
      unreadable: 0,
      trapped: 0,
    });
  });

  it('accepts changes of bookings that it does not know, and counts them', async () => {
    const BookingData = { ...booking, PMSConfirmationNumber: 'ELSEWHERE-7' };
    const modified = await exchange(envelope('PushModification', { BookingData }));
    expect(modified).toMatchObject({ Status: 'Success', PMSConfirmationNumber: 'ELSEWHERE-7' });
    const CancellationData = { Reference: 'UNHEARD', PMSConfirmationNumber: '' };
    const cancelled = await exchange(envelope('PushCancellation', { CancellationData }));
    expect(cancelled).toMatchObject({ Status: 'Success' });
    expect(pms.counts().unknownReferences).toBe(2);
  });

  it('acknowledges a message that it has taken the same way again, without applying it', async () => {
    const message = pushTransaction();
    const first = await exchange(message);
    expect(await exchange(message)).toEqual(first);
    expect(pms.received().map(({ duplicate }) => duplicate)).toEqual([false, true]);
    expect(pms.counts().duplicates).toBe(1);
    const page = await (await fetch(pms.base)).text();
    expect(page.match(/<td>1042<\/td>/g)).toHaveLength(1);
  });

  it('lets nobody in with other credentials', async () => {
    const refused = { Status: 'Error', ErrorMessage: 'Authentication failed' };
    const wrong = { Username: 'pms-user', Password: 'PMS-PASS' };
    expect(await exchange({ ...pushBooking(), Authentication: wrong })).toMatchObject(refused);
    expect(await exchange({ ...pushBooking(), Authentication: undefined })).toMatchObject(refused);
    expect(pms.received().map(({ refusal }) => refusal)).toEqual([
      'Authentication failed',
      'Authentication failed',
    ]);
    expect(JSON.stringify(pms.received())).not.toContain('PMS-PASS');
    await pms.stop();
    pms = await startPms({ port: 0, username: 'me', password: 'mine' });
    const right = { Username: 'me', Password: 'mine' };
    const answer = await exchange({ ...pushBooking(), Authentication: right });
    expect(answer).toMatchObject({ Status: 'Success', PMSConfirmationNumber: 'PMS-1001' });
  });

  it('prints one line a message that cannot steer a terminal', async () => {
    const lines: string[] = [];
    await pms.stop();
    pms = await startPms({ port: 0, progress: (line) => lines.push(line) });
    const message = pushBooking({ Reference: 'A\u001b[2J' });
    await exchange(message);
    await post('{');
    expect(lines).toEqual([
      `PushBooking A?[2J ${message.MessageID} JSON → right`,
      'unreadable → HTTP 400 (the body is not JSON)',
    ]);
  });
});

describe('a strict PMS refuses', () => {
  const reversal = { Type: 'Refund', CardFee: '0.00', AmountNet: '-1.00', AmountGross: '-1.00' };

  it.each([
    ['MessageID is not a UUID', { ...pushBooking(), MessageID: 'no-uuid' }],
    ['MessageID is missing', { ...pushBooking(), MessageID: undefined }],
    [
      'TimeStamp is not an ISO 8601 time with offset',
      { ...pushBooking(), TimeStamp: '2027-01-05 10:00:00' },
    ],
    ['MessageType PushGuest is not known', envelope('PushGuest')],
    ['EchoData is missing', envelope('Ping')],
    ['BookingData is missing', envelope('PushBooking')],
    ['BookingData.ETA is missing', pushBooking({ ETA: undefined })],
    ['BookingData.Reference is empty', pushBooking({ Reference: '' })],
    [
      'BookingData.ArrivalDate is not a date YYYY-MM-DD',
      pushBooking({ ArrivalDate: '14-02-2027' }),
    ],
    [
      'BookingData.ArrivalDate is not a date YYYY-MM-DD',
      pushBooking({ ArrivalDate: '2027-02-30' }),
    ],
    [
      'BookingData.DepartureDate is not after ArrivalDate',
      pushBooking({ DepartureDate: '2027-02-14' }),
    ],
    [
      'BookingData.Guest.LastName is missing',
      pushBooking({ Guest: { ...booking.Guest, LastName: undefined } }),
    ],
    [
      'BookingData.Guest.City is not a text',
      pushBooking({ Guest: { ...booking.Guest, City: null } }),
    ],
    ['BookingData.Notes is missing', pushBooking({ Notes: undefined })],
    [
      'TransactionData.CardMask is not twelve X and four digits',
      pushTransaction({ CardMask: 'XXXX-XXXXXX-XX005' }),
    ],
    ['TransactionData.CardType is not in lower case', pushTransaction({ CardType: 'Visa' })],
    ['TransactionData.RelatedSource is empty', pushTransaction({ RelatedSource: '' })],
    [
      'BookingData.RoomStays.0.Amount is not a text with digits',
      pushBooking({ RoomStays: [{ ...booking.RoomStays[0], Amount: 600 }] }),
    ],
    [
      'BookingData.PMSConfirmationNumber is missing',
      envelope('PushModification', { BookingData: booking }),
    ],
    [
      'CancellationData.Reference is missing',
      envelope('PushCancellation', { CancellationData: { PMSConfirmationNumber: '' } }),
    ],
    [
      'TransactionData.AmountGross is not a text with digits',
      pushTransaction({ AmountGross: 154.64 }),
    ],
    ['TransactionData.CardFee is not an amount', pushTransaction({ CardFee: 'A$4.64' })],
    [
      'TransactionData.CardFee does not have the 2 decimals of its currency',
      pushTransaction({ CardFee: '4.640' }),
    ],
    [
      'TransactionData.AmountNet is not AmountGross without the fees',
      pushTransaction({ AmountNet: '154.64' }),
    ],
    [
      'TransactionData.Currency is not a currency of ISO 4217',
      pushTransaction({ Currency: 'aud' }),
    ],
    ['TransactionData.Type is not Payment or Refund', pushTransaction({ Type: 'Sale' })],
    [
      'TransactionData.AmountNet has the wrong sign; TransactionData.AmountGross has the wrong sign',
      pushTransaction(reversal),
    ],
    [
      'TransactionData.GatewayID is missing; TransactionData.ProcessedTime is not an ISO 8601 time with offset',
      pushTransaction({ GatewayID: undefined, ProcessedTime: 'now' }),
    ],
  ])('%s', async (ErrorMessage, message) => {
    const answer = await exchange(message);
    expect(answer).toMatchObject({ Status: 'Error', ErrorMessage });
    expect(pms.received()).toMatchObject([{ refusal: ErrorMessage, duplicate: false }]);
  });

  it('but not money that comes back, a correction, nor a currency without decimals', async () => {
    for (const Description of ['Reversal of failed refund', 'Chargeback reversed']) {
      expect(await exchange(pushTransaction({ ...reversal, Description }))).toMatchObject({
        Status: 'Success',
      });
    }
    const correction = { ...reversal, Type: 'Payment', Description: 'Correction of the amount' };
    expect(await exchange(pushTransaction(correction))).toMatchObject({ Status: 'Success' });
    const yen = { Currency: 'JPY', CardFee: '5', TransactionFee: '0', AmountNet: '150' };
    expect(await exchange(pushTransaction({ ...yen, AmountGross: '155' }))).toMatchObject({
      Status: 'Success',
    });
  });
});

const NAMESPACE = 'urn:hotel:transactions:1';

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';

const SOAP_TYPE = 'application/soap+xml; charset=utf-8';

const escapes = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

function elements(members: Record<string, unknown>): string {
  const inner = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? elements({ ...value })
      : String(value).replaceAll(/[&<>]/g, (character) => escapes.get(character) ?? '');
  return Object.entries(members)
    .map(([name, value]) => `<${name}>${inner(value)}</${name}>`)
    .join('');
}

/** A message with its members in the order of the XML form. */
function ordered({ Authentication, TimeStamp, MessageID, ...rest }: ReturnType<typeof envelope>) {
  return { Authentication, TimeStamp, MessageID, ...rest };
}

function soap(content: string, namespace = NAMESPACE): string {
  return `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="${SOAP}"><s:Body><TransactionNotifRQ xmlns="${namespace}">${content}</TransactionNotifRQ></s:Body></s:Envelope>`;
}

/** The texts of a document's elements, by `{namespace}name`. */
function read(document: string): Map<string, string> {
  const texts = new Map<string, string>();
  const open: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local }) => {
    open.push(`{${uri}}${local}`);
    texts.set(`{${uri}}${local}`, '');
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => {
    const name = open.at(-1);
    if (name !== undefined) texts.set(name, `${texts.get(name) ?? ''}${text}`);
  });
  parser.write(document).close();
  return texts;
}

/** What the PMS answers to a message with its elements in the order of JSON. */
async function wrongOrder(message: ReturnType<typeof envelope>): Promise<string> {
  return (await post(soap(elements(message)), SOAP_TYPE)).text();
}

describe('messages as SOAP 1.2', () => {
  it('takes a transaction and answers in its namespace', async () => {
    const Description = ` <Late> check-out & "minibar"\nfor 'O’Brien' 🍸 ]]> `;
    const RelatedReference = 'A<&>"1"';
    const message = pushTransaction({ Description, RelatedReference });
    expect(await wrongOrder(message)).toContain('Elements out of order');
    pms.forget();
    const response = await post(soap(elements(ordered(message))), SOAP_TYPE);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe(SOAP_TYPE);
    const reply = read(await response.text());
    expect([...reply.keys()]).toEqual([
      `{${SOAP}}Envelope`,
      `{${SOAP}}Body`,
      `{${NAMESPACE}}TransactionNotifRS`,
      `{${NAMESPACE}}MessageID`,
      `{${NAMESPACE}}TimeStamp`,
      `{${NAMESPACE}}Status`,
    ]);
    expect(reply.get(`{${NAMESPACE}}MessageID`)).toBe(message.MessageID);
    expect(reply.get(`{${NAMESPACE}}TimeStamp`)).toBe(message.TimeStamp);
    expect(reply.get(`{${NAMESPACE}}Status`)).toBe('Success');
    expect(pms.received()).toMatchObject([
      {
        messageId: message.MessageID,
        messageType: 'PushTransaction',
        format: 'XML',
        namespace: NAMESPACE,
        contentType: SOAP_TYPE,
        data: { ...transaction, Description, RelatedReference },
        reference: RelatedReference,
        refusal: null,
      },
    ]);
  });

  it('says in XML why it refuses', async () => {
    const nobody = { Username: '', Password: '' };
    const refusals = [
      [pushTransaction({ AmountGross: 'a<b' }), 'TransactionData.AmountGross is not an amount'],
      [{ ...pushTransaction(), Authentication: nobody }, 'Authentication failed'],
      [envelope('<&">', { EchoData: 'x' }), 'MessageType <&"> is not known'],
      [envelope('Ping', { EchoData: 'x' }), 'Ping is not taken as XML'],
      [
        envelope('PushTransaction', {
          TransactionData: Object.fromEntries(Object.entries(transaction).toReversed()),
        }),
        'Elements out of order',
      ],
    ] as const;
    for (const [message, ErrorMessage] of refusals) {
      const response = await post(soap(elements(ordered(message))), SOAP_TYPE);
      expect(response.status).toBe(200);
      const reply = read(await response.text());
      expect(reply.get(`{${NAMESPACE}}Status`)).toBe('Error');
      expect(reply.get(`{${NAMESPACE}}ErrorMessage`)).toBe(ErrorMessage);
      expect(reply.get(`{${NAMESPACE}}MessageID`)).toBe(message.MessageID);
    }
  });

  const content = elements(ordered(pushTransaction()));

  it.each([
    ['a DOCTYPE', `<!DOCTYPE x [<!ENTITY e "x">]>${soap(content).replace(/^<\?.*?\?>/, '')}`],
    ['an unknown entity', soap(content.replace('<Description>', '<Description>&e;'))],
    ['a tag left open', soap(content.replace('</Description>', ''))],
    ['a CDATA section', soap(content.replace('<Description>', '<Description><![CDATA[<]]>'))],
    ['a processing instruction', soap(`<?php ?>${content}`)],
    ['another encoding', soap(content).replace('UTF-8', 'ISO-8859-1')],
    ['SOAP 1.1', soap(content).replace(SOAP, 'http://schemas.xmlsoap.org/soap/envelope/')],
    ['no namespace', soap(content, '')],
    [
      'a prefix inside',
      soap(content.replaceAll('TimeStamp>', 'p:TimeStamp>')).replace(
        '<TransactionNotifRQ',
        `<TransactionNotifRQ xmlns:p="${NAMESPACE}"`,
      ),
    ],
    ['another request', soap(content).replaceAll('TransactionNotifRQ', 'BookingNotifRQ')],
    ['an element twice', soap(`${content}<TimeStamp>2027-01-05T10:00:01+08:00</TimeStamp>`)],
    ['text between elements', soap(`x${content}`)],
  ])('does not take %s', async (_, document) => {
    const response = await post(document, SOAP_TYPE);
    expect(response.status).toBe(400);
    expect(pms.received()).toEqual([]);
    expect(pms.counts().unreadable).toBe(1);
  });
});

describe('what is no message', () => {
  it.each([
    ['no JSON', '{', 'application/json', 400],
    ['no object', '[]', 'application/json', 400],
    ['another type', '{}', 'text/plain', 415],
    ['another charset', '{}', 'application/json; charset=utf-16', 415],
    ['a body above 1 MiB', ' '.repeat(1024 * 1024 + 1), 'application/json', 413],
  ])('%s', async (_, body, contentType, status) => {
    expect((await post(body, contentType)).status).toBe(status);
    expect(pms.received()).toEqual([]);
    expect(pms.counts().unreadable).toBe(1);
  });

  it('has no Content-Length, or is not UTF-8, or not posted', async () => {
    const head = 'POST /pms HTTP/1.1\r\nHost: pms\r\nContent-Type: application/json\r\n';
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    expect(await raw(Buffer.from(chunked))).toMatch(/^HTTP\/1\.1 411 /);
    const latin = Buffer.concat([Buffer.from(`${head}Content-Length: 1\r\n\r\n`), Buffer.of(0xe9)]);
    expect(await raw(latin)).toMatch(/^HTTP\/1\.1 400 [\s\S]*not UTF-8/);
    const got = await fetch(pms.url);
    expect([got.status, got.headers.get('Allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${pms.base}/elsewhere`)).status).toBe(404);
  });
});

/** Sends bytes as they are; resolves with all that comes back until the PMS closes. */
function raw(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(pms.base).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

describe('told to behave otherwise', () => {
  it.each(['http-400', 'http-429', 'http-500', 'http-503'] as const)('%s', async (mode) => {
    await tell({ mode, retryAfterSeconds: 7 });
    const response = await post(JSON.stringify(pushBooking()));
    expect(response.status).toBe(Number(mode.slice(5)));
    expect(response.headers.get('Retry-After')).toBe(mode === 'http-400' ? null : '7');
    await tell({ mode });
    const without = await post(JSON.stringify(pushBooking()));
    expect(without.headers.get('Retry-After')).toBeNull();
    expect(pms.received()).toMatchObject([{ answered: mode }, { answered: mode }]);
  });

  it('error, as often as was said, and then right: the message is new to it then', async () => {
    await tell({ mode: 'error', times: 2 });
    const message = pushBooking();
    const { MessageID } = message;
    const refused = {
      MessageID,
      Status: 'Error',
      ErrorMessage: 'Refusing this message on request',
    };
    expect(await exchange(message)).toMatchObject(refused);
    expect(await exchange(message)).toMatchObject(refused);
    expect(await exchange(message)).toMatchObject({ PMSConfirmationNumber: 'PMS-1001' });
    expect(pms.received()).toMatchObject([
      { answered: 'error', duplicate: false, refusal: null },
      { answered: 'error', duplicate: false },
      { answered: 'right', duplicate: false },
    ]);
  });

  it('only to the messages it is for', async () => {
    await tell({ mode: 'error', times: 1, matching: { reference: 'B' } });
    expect(await exchange(pushBooking({ Reference: 'A' }))).toMatchObject({ Status: 'Success' });
    expect(await exchange(pushBooking({ Reference: 'B' }))).toMatchObject({ Status: 'Error' });
    expect(await exchange(pushBooking({ Reference: 'B' }))).toMatchObject({ Status: 'Success' });
    await tell({ mode: 'error', matching: { messageType: 'PushTransaction' } });
    expect(await exchange(pushBooking())).toMatchObject({ Status: 'Success' });
    expect(await exchange(pushTransaction())).toMatchObject({ Status: 'Error' });
    await tell({ mode: 'right' });
    expect(await exchange(pushTransaction())).toMatchObject({ Status: 'Success' });
  });

  it('hang: never answers, and ends at once all the same', async () => {
    await tell({ mode: 'hang' });
    const pending = post(JSON.stringify(pushBooking())).catch(() => 'cut off');
    await expect
      .poll(() => pms.received(), { timeout: PATIENCE_MS })
      .toMatchObject([{ answered: 'hang' }]);
    await pms.stop();
    expect(await pending).toBe('cut off');
  });

  it('html and not-json: unreadable', async () => {
    await tell({ mode: 'html' });
    const page = await post(JSON.stringify(pushBooking()));
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
    await tell({ mode: 'not-json' });
    const cut = await post(JSON.stringify(pushBooking()));
    expect(cut.headers.get('Content-Type')).toBe('application/json');
    const text = await cut.text();
    expect(text).toContain('"Status":"Success"');
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    const xml = await post(soap(elements(pushTransaction())), SOAP_TYPE);
    const document = await xml.text();
    expect(() => read(document)).toThrow(/unclosed|end of/);
  });

  it('wrong-id: the reply to another message', async () => {
    await tell({ mode: 'wrong-id' });
    const message = pushBooking();
    const { MessageID, ...answer } = await exchange(message);
    expect(answer).toMatchObject({ Status: 'Success', TimeStamp: message.TimeStamp });
    expect(MessageID).toMatch(/^[0-9a-f-]{36}$/);
    expect(MessageID).not.toBe(message.MessageID);
  });

  it('redirect: to where it counts who follows', async () => {
    await tell({ mode: 'redirect' });
    const response = await post(JSON.stringify(pushBooking()));
    expect([response.status, response.headers.get('Location')]).toEqual([302, `${pms.base}/trap`]);
    expect(pms.counts().trapped).toBe(0);
    await post(JSON.stringify(pushBooking()), 'application/json', { redirect: 'follow' });
    expect(pms.counts().trapped).toBe(1);
    const kept = await (await fetch(`${pms.base}/received`)).json();
    expect(kept).toMatchObject({ trapped: 1, messages: [{}, {}] });
  });

  it('huge: 10 MB, of which it knows how much was taken', async () => {
    await tell({ mode: 'huge' });
    const message = pushBooking();
    const response = await post(JSON.stringify(message));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await tell({ mode: 'huge' });
    const whole = await (await post(JSON.stringify(message))).text();
    expect(whole.length).toBeGreaterThan(10 * 1024 * 1024);
    expect(JSON.parse(whole)).toMatchObject({ MessageID: message.MessageID, Status: 'Success' });
    const [broken, read] = pms.received().map(({ bytesTaken }) => bytesTaken ?? 0);
    expect(broken).toBeLessThan(whole.length);
    expect(read).toBe(whole.length);
  });

  it('drip: byte by byte', async () => {
    await tell({ mode: 'drip' });
    const abort = new AbortController();
    const message = JSON.stringify(pushBooking());
    const response = await post(message, 'application/json', { signal: abort.signal });
    expect(response.status).toBe(200);
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe('{');
    abort.abort();
  });

  it('close and close-late: no answer, though the latter took the message', async () => {
    const early = pushBooking();
    const late = pushBooking({ Reference: 'LATE' });
    await tell({ mode: 'close', times: 1 });
    await expect(post(JSON.stringify(early))).rejects.toThrow('fetch failed');
    await tell({ mode: 'close-late', times: 1 });
    await expect(post(JSON.stringify(late))).rejects.toThrow('fetch failed');
    expect(await exchange(late)).toMatchObject({ PMSConfirmationNumber: 'PMS-1001' });
    expect(await exchange(early)).toMatchObject({ PMSConfirmationNumber: 'PMS-1002' });
    expect(pms.received()).toMatchObject([
      { answered: 'close', duplicate: false },
      { answered: 'close-late', duplicate: false },
      { answered: 'right', duplicate: true },
      { answered: 'right', duplicate: false },
    ]);
  });

  it('from code as well, and not in ways that it does not know', async () => {
    pms.behave({ mode: 'error', times: 1 });
    expect(await exchange(pushBooking())).toMatchObject({ Status: 'Error' });
    for (const wrong of [
      {},
      { mode: 'odd' },
      { mode: 'error', times: 0 },
      { mode: 'hang', x: 1 },
    ]) {
      expect((await toControl('/behave', wrong)).status).toBe(400);
    }
    expect(await exchange(pushBooking())).toMatchObject({ Status: 'Success' });
  });
});

describe('what people and tests see', () => {
  it('a page of bookings, transactions and messages, every text escaped', async () => {
    const Guest = { ...booking.Guest, LastName: `<script>alert("1")</script>O'Hara & Co` };
    await exchange(pushBooking({ Guest }));
    await exchange(pushTransaction({ Description: '<b>Bar</b>' }));
    const CancellationData = { Reference: 'ABC123', PMSConfirmationNumber: '' };
    await exchange(envelope('PushCancellation', { CancellationData }));
    await exchange(envelope('<img src=x>'));
    const response = await fetch(pms.base);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const page = await response.text();
    expect(page).toContain(
      '<td>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;O&#39;Hara &amp; Co</td>',
    );
    expect(page).toContain('<td>&lt;b&gt;Bar&lt;/b&gt;</td>');
    expect(page).toContain('<td>MessageType &lt;img src=x&gt; is not known</td>');
    expect(page).toContain('<td>PMS-1001</td><td>cancelled</td>');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).not.toMatch(/<script|<b>|<img|pms-pass/);
  });

  it('forgets what it got, not how to behave or what it offers', async () => {
    await toControl('/catalogue', { RoomTypes: [] });
    const message = pushBooking();
    await exchange(message);
    await post('{');
    await tell({ mode: 'error', matching: { messageType: 'Ping' } });
    const response = await fetch(`${pms.base}/received`, { method: 'DELETE' });
    const empty = { duplicates: 0, unknownReferences: 0, unreadable: 0, trapped: 0 };
    expect(await response.json()).toEqual({ messages: [], ...empty });
    expect(await (await fetch(pms.base)).text()).not.toContain('ABC123');
    expect(await exchange(message)).toMatchObject({ PMSConfirmationNumber: 'PMS-1001' });
    expect(pms.counts()).toEqual(empty);
    expect(await exchange(envelope('Ping', { EchoData: '' }))).toMatchObject({ Status: 'Error' });
    const info = await exchange(envelope('GetPropertyInfo'));
    expect(info['PropertyData']).toMatchObject({ RoomTypes: [] });
    pms.forget();
    expect(pms.received()).toEqual([]);
  });
});

/** Ends what is left of a process and its children. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

describe('npm run pms', () => {
  it('leaves nothing behind when npm is told to end', async () => {
    const port = await freePort();
    const PMS_PORT = String(port);
    const npm = spawn('npm', ['run', 'pms'], {
      cwd: root,
      env: { ...process.env, PMS_PORT },
      stdio: 'ignore',
      detached: true,
    });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/received`).then(
        ({ ok }) => ok,
        () => false,
      );
    try {
      await expect.poll(answers, { timeout: PATIENCE_MS }).toBe(true);
      npm.kill('SIGTERM');
      await expect.poll(answers, { timeout: PATIENCE_MS }).toBe(false);
    } finally {
      endGroup(npm.pid);
    }
  });
});
