import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/pms/envelope.ts';
import { readSoapReply, soapBody } from '../../src/pms/soap.ts';

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';

/** An element as an independent, strict and namespace-aware parser read it. */
interface Element {
  readonly path: string;
  readonly uri: string;
  readonly prefix: string;
  text: string;
}

function elementsOf(xml: string): Element[] {
  const parser = new SaxesParser({ xmlns: true });
  const open: Element[] = [];
  const all: Element[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, prefix }) => {
    const path = [...open.map((it) => it.path.split('/').at(-1)), local].join('/');
    const element = { path, uri, prefix, text: '' };
    open.push(element);
    all.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return all;
}

const IN = 'Envelope/Body/TransactionNotifRQ';

/** The paths of a message's text fields, each with how it is put there. */
const fields: [string, (text: string) => Element[]][] = [
  [`${IN}/MessageID`, (text) => written({ messageId: text })],
  [`${IN}/TimeStamp`, (text) => written({ timeStamp: text })],
  [`${IN}/MessageType`, (text) => written({ messageType: text })],
  [`${IN}/Authentication/Username`, (text) => written({}, { username: text })],
  [`${IN}/Authentication/Password`, (text) => written({}, { password: text })],
  ...[
    'TransactionID',
    'RelatedReference',
    'RelatedSource',
    'GatewayID',
    'GatewayReference',
    'CardMask',
    'CardType',
    'Description',
  ].map((name): [string, (text: string) => Element[]] => [
    `${IN}/TransactionData/${name}`,
    (text) => written({ members: { TransactionData: { ...data, [name]: text } } }),
  ]),
];

const data = {
  TransactionID: '1',
  RelatedReference: 'RES-1',
  RelatedSource: null,
  GatewayID: 'sandbox',
  GatewayReference: 'g',
  CardMask: 'XXXX-XXXX-XXXX-X242',
  CardType: 'Visa',
  Type: 'Payment',
  Currency: 'AUD',
  CardFee: '0.00',
  TransactionFee: '0.00',
  AmountNet: '10.00',
  AmountGross: '10.00',
  ProcessedTime: '2026-11-21T08:00:00+08:00',
  Description: 'Deposit',
};

function written(
  envelope: Partial<Envelope> = {},
  credentials: { username?: string; password?: string } = {},
  namespace = 'urn:hotel',
): Element[] {
  const whole = {
    messageId: 'id',
    timeStamp: 'now',
    messageType: 'PushTransaction',
    members: { TransactionData: data },
    ...envelope,
  };
  const { body } = soapBody(whole, { username: 'u', password: 'p', ...credentials }, namespace);
  return elementsOf(body);
}

const plain = written();

/** What XML can carry of a text. */
function carried(text: string): string {
  return text.replace(
    /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu,
    '\u{FFFD}',
  );
}

const injections = [
  '</Description><Type>Refund</Type><Description>',
  '</TransactionData></TransactionNotifRQ>',
  '<![CDATA[x]]>',
  ']]>',
  '<!DOCTYPE x [<!ENTITY e "y">]>&e;',
  '<!-- x -->',
  '<?xml version="1.0"?>',
  '&lt;b&gt; &amp; &#60;',
  `"quoted" 'too'`,
  ' leading and trailing ',
  '\ttab\nline\r\nreturn\r',
  'emoji \u{1F600}, U+2028 \u2028, right to left \u202E, null \u0000, \uFFFE, lone \uD800',
];

describe('a transaction as SOAP', () => {
  it('is an Envelope and Body of SOAP 1.2, and all inside is in the namespace of the property, without prefixes', () => {
    expect(plain.slice(0, 3).map(({ path, uri }) => [path, uri])).toEqual([
      ['Envelope', SOAP],
      ['Envelope/Body', SOAP],
      [IN, 'urn:hotel'],
    ]);
    for (const { uri, prefix } of plain.slice(2)) expect([uri, prefix]).toEqual(['urn:hotel', '']);
    const values = Object.fromEntries(
      plain.map(({ path, text }) => [path.split('/').at(-1), text]),
    );
    expect(values).toMatchObject({
      ...data,
      RelatedSource: '',
      MessageID: 'id',
      Username: 'u',
      Password: 'p',
    });
  });

  it('has its content type, and `<`, `>` and `&` only as entities', () => {
    const envelope = {
      messageId: 'id',
      timeStamp: 't',
      messageType: 'x',
      members: { D: 'a<b>c&d' },
    };
    const { contentType, body } = soapBody(envelope, { username: 'u', password: 'p' }, 'n');
    expect(contentType).toBe('application/soap+xml; charset=utf-8');
    expect(body).toContain('<D>a&lt;b&gt;c&amp;d</D>');
  });

  describe.each(fields)('%s', (path, put) => {
    it.each(injections)('carries %j and changes nothing else', (text) => {
      expectOnly(put(text), path, text);
    });

    it('carries any text', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
          expectOnly(put(text), path, text);
        }),
        { numRuns: 60 },
      );
    });
  });

  it.each(injections)('in a namespace that holds %j stays one document', (namespace) => {
    const elements = written({}, {}, carried(namespace));
    expect(elements.map(({ path }) => path)).toEqual(plain.map(({ path }) => path));
  });
});

function expectOnly(elements: Element[], path: string, text: string): void {
  expect(elements.map((it) => it.path)).toEqual(plain.map((it) => it.path));
  elements.forEach((element, index) => {
    expect(element.text).toBe(element.path === path ? carried(text) : plain[index]?.text);
  });
}

describe('a SOAP reply', () => {
  const reply = (inner: string, name = 'TransactionNotifRS') =>
    `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${SOAP}"><s:Header/><s:Body><p:${name} xmlns:p="urn:hotel">${inner}</p:${name}></s:Body></s:Envelope>`;

  it('is read whatever its prefixes, with entities and character references', () => {
    const text = reply('<p:MessageID>a&amp;b&#x41;&#66;</p:MessageID><p:Status>Success</p:Status>');
    expect(readSoapReply(text)).toMatchObject({ MessageID: 'a&bAB', Status: 'Success' });
  });

  it('keeps texts as texts', () => {
    expect(readSoapReply(reply('<MessageID>007</MessageID>'))).toMatchObject({ MessageID: '007' });
  });

  it.each([
    ['with a DOCTYPE', `<!DOCTYPE x>${reply('<Status>Success</Status>')}`],
    ['with an entity', `<!doctype x [<!ENTITY e "Success">]>${reply('<Status>&e;</Status>')}`],
    ['that laughs', `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${reply('&b;')}`],
    ['that is not closed', reply('<Status>Success')],
    ['that closes something else', reply('<Status>Success</State>')],
    ['of another name', reply('<Status>Success</Status>', 'Fault')],
    ['without a body', `<s:Envelope xmlns:s="${SOAP}"/>`],
    ['that is JSON', '{"Status":"Success"}'],
    ['that is HTML', '<html><body>Success<br></body></html>'],
    ['that is empty', ''],
  ])('%s is none', (_name, text) => {
    expect(readSoapReply(text)).toBeNull();
  });

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readSoapReply(text)));
    fc.assert(fc.property(fc.string(), (text) => void readSoapReply(reply(text))));
  });
});
