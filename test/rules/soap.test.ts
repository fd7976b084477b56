import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseXml, type XmlElement } from '../../scripts/pms/xmlTree.ts';
import { paymentMessage } from '../../src/pms/rules/messages.ts';
import { DEFAULT_NAMESPACE, readSoapReply, soapBody } from '../../src/pms/rules/soap.ts';
import { someOf } from '../support/long.ts';
import { cardRow, propertyRow, transactionRow } from './rows.ts';

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';

/** A payment's own part of the envelope, with every text in it. */
const payment = paymentMessage(
  { property: propertyRow(), booking: { source: 'Hotel Site' }, card: cardRow('visa-card') },
  transactionRow({ gatewayReference: 'ch_1', description: 'First night', completedAtMs: 2_000 }),
).payload['TransactionData'] as Record<string, string>;

/** Every text of a message, by its element's name. */
const texts: Readonly<Record<string, string>> = {
  Username: 'pms-user',
  Password: 'pms-pass',
  MessageID: '0190a3f0-0000-7000-8000-000000000001',
  TimeStamp: '2026-10-01T20:00:01+08:00',
  MessageType: 'PushTransaction',
  ...payment,
};

type Written = Readonly<Record<string, string | null>>;

/** The message with these texts in it. */
function write(written: Written, namespace = DEFAULT_NAMESPACE): string {
  const { Username, Password, MessageID, TimeStamp, MessageType, ...TransactionData } = written;
  const envelope = {
    messageId: MessageID ?? '',
    timeStamp: TimeStamp ?? '',
    messageType: MessageType ?? '',
    members: { TransactionData },
  };
  return soapBody(envelope, { username: Username ?? '', password: Password ?? '' }, namespace).body;
}

/** An element's children in order; a name and a text for each, or a name and its children. */
type Tree = [name: string, inside: string | Tree][];

function treeOf(element: XmlElement): Tree {
  return element.children.map((child) => {
    if (child.children.length === 0) return [child.local, child.text];
    expect(child.text).toBe('');
    return [child.local, treeOf(child)];
  });
}

/** What a reader of the message with these texts must see. */
function expectedTree(written: Written): Tree {
  const leaf = (name: string): Tree[number] => [name, written[name] ?? ''];
  return [
    ['Authentication', [leaf('Username'), leaf('Password')]],
    ...['TimeStamp', 'MessageID', 'MessageType'].map(leaf),
    ['TransactionData', Object.keys(payment).map(leaf)],
  ];
}

/** The request in a message, as an independent parser sees it; fails for anything around it that does not belong there. */
function requestIn(body: string, namespace = DEFAULT_NAMESPACE): XmlElement {
  const envelope = parseXml(body);
  const [soapBody, ...besideBody] = envelope.children;
  const [request, ...besideRequest] = soapBody?.children ?? [];
  if (!soapBody || !request) throw new Error('the request is not where it belongs');
  expect([...besideBody, ...besideRequest]).toEqual([]);
  expect(envelope.text + soapBody.text).toBe('');
  expect([envelope, soapBody].map(({ uri, local }) => [uri, local])).toEqual([
    [SOAP, 'Envelope'],
    [SOAP, 'Body'],
  ]);
  expect(request.local).toBe('TransactionNotifRQ');
  const inside = [request];
  for (const element of inside) {
    expect([element.prefix, element.uri]).toEqual(['', namespace]);
    inside.push(...element.children);
  }
  return request;
}

/** A text as XML 1.0 can hold it: its own definition of a character, by code points. */
function asXmlHolds(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isCharacter =
      [0x9, 0xa, 0xd].includes(code) ||
      (code >= 0x20 && code <= 0xd7_ff) ||
      (code >= 0xe0_00 && code <= 0xff_fd) ||
      code >= 0x1_00_00;
    return isCharacter ? character : '\u{FFFD}';
  }).join('');
}

/** Markup, its pieces, white space and what XML cannot hold, between texts of any code units. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit)),
  fc.constantFrom('<', '>', '&', '"', "'", ']]>', '<![CDATA[', '<!--', '-->', '&amp;', '&#13;'),
  fc.constantFrom('\r', '\n', '\r\n', '\t', ' ', '\u{85}', '\u{2028}', '\u{FEFF}', '\0', '\u{B}'),
  fc.constantFrom('</Description>', '<Type>', '<?xml?>', '$&', '#text', '@xmlns', '\u{D800}'),
);
const anyText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

describe('a transaction message as SOAP', () => {
  it('is exactly this', () => {
    const { contentType, body } = soapBody(
      {
        messageId: 'id',
        timeStamp: '2026-10-01T20:00:01+08:00',
        messageType: 'PushTransaction',
        members: { TransactionData: { TransactionID: '41', CardMask: null, Description: 'R&B' } },
      },
      { username: 'user', password: 'pass' },
      'urn:hotel:1',
    );
    expect(contentType).toBe('application/soap+xml; charset=utf-8');
    expect(body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>' +
        `<soap:Envelope xmlns:soap="${SOAP}"><soap:Body><TransactionNotifRQ xmlns="urn:hotel:1">` +
        '<Authentication><Username>user</Username><Password>pass</Password></Authentication>' +
        '<TimeStamp>2026-10-01T20:00:01+08:00</TimeStamp><MessageID>id</MessageID>' +
        '<MessageType>PushTransaction</MessageType><TransactionData>' +
        '<TransactionID>41</TransactionID><CardMask/><Description>R&amp;B</Description>' +
        '</TransactionData></TransactionNotifRQ></soap:Body></soap:Envelope>',
    );
  });

  it.each([
    DEFAULT_NAMESPACE,
    'https://hotel.com/transactions?v=1&x="2"#<3>',
    'urn:it’s:\u{1F3E8}',
  ])('has all of the request in the namespace %s, without prefixes', (namespace) => {
    const request = requestIn(write(texts, namespace), namespace);
    expect(treeOf(request)).toEqual(expectedTree(texts));
  });

  it('writes a number and a truth as JSON does', () => {
    const members = { TransactionData: { Total: 154.64, Virtual: false } };
    const envelope = { messageId: 'id', timeStamp: 't', messageType: 'm', members };
    const { body } = soapBody(envelope, { username: 'u', password: 'p' }, DEFAULT_NAMESPACE);
    expect(body).toContain('<Total>154.64</Total><Virtual>false</Virtual>');
  });

  it('has an empty element for what is not known, as for an empty text', () => {
    const nulls = { ...texts, RelatedSource: null, CardMask: null, Description: '' };
    expect(treeOf(requestIn(write(nulls)))).toEqual(expectedTree(nulls));
  });

  it('carries any text in any place, but for what XML cannot hold', () => {
    const record = fc.record(Object.fromEntries(Object.keys(texts).map((name) => [name, anyText])));
    fc.assert(
      fc.property(record, (written) => {
        const held = Object.entries(written).map(([name, text]) => [name, asXmlHolds(text)]);
        expect(treeOf(requestIn(write(written)))).toEqual(expectedTree(Object.fromEntries(held)));
      }),
    );
  });

  it('carries every character that there is', () => {
    const planes = Array.from({ length: 0x11 }, (_, plane) => plane * 0x1_00_00);
    // What XML cannot hold is in the first plane.
    const [first = 0, ...others] = planes;
    for (const start of [first, ...someOf(others)]) {
      const Description = Array.from({ length: 0x1_00_00 }, (_, at) =>
        // Alone between two others, a surrogate is half a character.
        String.fromCodePoint(start + at),
      ).join('-');
      const data = requestIn(write({ ...texts, Description })).children.at(-1);
      expect(data?.children.at(-1)?.text === asXmlHolds(Description)).toBe(true);
    }
  });

  it.each([
    ['a carriage return', 'a\rb', 'a\rb'],
    ['a line end of two characters', 'a\r\nb', 'a\r\nb'],
    ['line feeds and tabs', '\n\ta\n\tb\n', '\n\ta\n\tb\n'],
    ['spaces around', '  a  ', '  a  '],
    ['nothing but white space', ' \t\r\n ', ' \t\r\n '],
    ['a reference that was meant as text', '&#13;&amp;&lt;', '&#13;&amp;&lt;'],
    ['half a character', 'a\u{D83D}b', 'a\u{FFFD}b'],
    ['halves in the wrong order', '\u{DE00}\u{D83D}', '\u{FFFD}\u{FFFD}'],
    ['a whole character beyond the first plane', '\u{D83D}\u{DE00}', '\u{1F600}'],
    ['control characters', '\0\u{1}\u{8}\u{B}\u{C}\u{E}\u{1F}', '\u{FFFD}'.repeat(7)],
    ['characters that are not any', '\u{FFFE}\u{FFFF}', '\u{FFFD}\u{FFFD}'],
    ['control characters that XML holds', '\u{7F}\u{80}\u{85}\u{9F}', '\u{7F}\u{80}\u{85}\u{9F}'],
  ])('carries %s', (_, text, read) => {
    for (const name of Object.keys(texts)) {
      const tree = treeOf(requestIn(write({ ...texts, [name]: text })));
      expect(tree).toEqual(expectedTree({ ...texts, [name]: read }));
    }
  });
});

const attacks = [
  '</Description><Type>Refund</Type><Description>',
  '</Description><Type>Refund</Type>',
  '</TransactionData></TransactionNotifRQ></soap:Body></soap:Envelope>',
  ']]>',
  '<![CDATA[<Type>Refund</Type>]]>',
  ']]><Type>Refund</Type><![CDATA[',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '<!--',
  '--><Type>Refund</Type><!--',
  '<?xml version="1.0"?>',
  '<?php echo 1 ?>',
  '&amp;',
  '&lt;Type&gt;Refund&lt;/Type&gt;',
  '&#60;Type&#62;',
  '&e;',
  '&',
  '" xmlns="urn:evil',
  "' xmlns='urn:evil",
  '"><Type>Refund</Type><x y="',
  '/><Type>Refund</Type>',
  '\u{FEFF}<Type/>',
  '$&$1$`',
];

describe('whoever writes markup into a text', () => {
  it.each(Object.keys(texts))('in %s changes nothing else, and adds no element', (name) => {
    for (const attack of attacks) {
      const written = { ...texts, [name]: attack };
      expect(treeOf(requestIn(write(written)))).toEqual(expectedTree(written));
    }
  });

  it('in the namespace changes the namespace alone', () => {
    for (const attack of attacks) {
      const namespace = `urn:x${attack}x`;
      expect(treeOf(requestIn(write(texts, namespace), namespace))).toEqual(expectedTree(texts));
    }
  });

  it('in any namespace changes the namespace alone', () => {
    // In an attribute a reader turns tabs and line feeds into spaces; no namespace has them.
    const namespaces = anyText.map((text) => `urn:x${text.replaceAll(/[\t\n]/g, '')}x`);
    fc.assert(
      fc.property(namespaces, (namespace) => {
        const request = requestIn(write(texts, namespace), asXmlHolds(namespace));
        expect(treeOf(request)).toEqual(expectedTree(texts));
      }),
    );
  });

  it('in a namespace that is nothing but that, or has white space around, adds no element', () => {
    const [plain] = parseXml(write(texts)).children;
    const namespaces = [...attacks, ' x ', '\ttab\nline\r\nreturn\r', '\0', '\u{D800}'];
    for (const namespace of namespaces) {
      const [body, ...others] = parseXml(write(texts, namespace)).children;
      expect(others).toEqual([]);
      expect(body && treeOf(body)).toEqual(plain && treeOf(plain));
    }
  });
});

/** A SOAP reply with this inside, and this before and after. */
function reply(inside: string, before = '', after = ''): string {
  return (
    `${before}<env:Envelope xmlns:env="${SOAP}"><env:Header/><env:Body>` +
    `<TransactionNotifRS xmlns="urn:hotel:1">${inside}</TransactionNotifRS>` +
    `</env:Body></env:Envelope>${after}`
  );
}

const SUCCESS = '<Status>Success</Status>';
const read = { Status: 'Success' };

/** Ten entities, each ten times the one before. */
const laughs = [
  '<!DOCTYPE lolz [<!ENTITY lol0 "lol">',
  ...Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`),
  ']>',
].join('');

describe('reading a SOAP reply', () => {
  it.each([
    ['a declaration', reply(SUCCESS, '<?xml version="1.0" encoding="UTF-8"?>\n')],
    ['a byte order mark', reply(SUCCESS, '\u{FEFF}<?xml version="1.0"?>')],
    ['line ends around', reply(SUCCESS, '\r\n', '\r\n')],
    ['comments around', reply(SUCCESS, '<!-- before -->', '<!-- after -->')],
    ['a comment inside', reply('<!-- <Status>Error</Status> --><Status>Suc<!-- -->cess</Status>')],
    ['a processing instruction', reply('<?x y?><Status>Suc<?x y?>cess</Status>', '<?x y?>')],
    ['CDATA', reply('<Status><![CDATA[Success]]></Status>')],
    ['CDATA in pieces', reply('<Status>Su<![CDATA[cc]]>e<![CDATA[ss]]></Status>')],
    ['decimal references', reply('<Status>&#83;uccess</Status>')],
    ['hexadecimal references', reply('<Status>&#x53;uccess</Status>')],
    ['attributes', reply('<Status code="0" x:y="z" xmlns:x="urn:x">Success</Status>')],
    ['indentation', reply('\n  <Status>\n    Success\n  </Status>\n')],
    ['prefixes', reply('<x:Status xmlns:x="urn:x">Success</x:Status>')],
    [
      'prefixes everywhere',
      '<S:Envelope xmlns:S="s"><S:Body><r:TransactionNotifRS xmlns:r="r"><r:Status>Success' +
        '</r:Status></r:TransactionNotifRS></S:Body></S:Envelope>',
    ],
    [
      'no prefix at all',
      `<Envelope><Body><TransactionNotifRS>${SUCCESS}</TransactionNotifRS></Body></Envelope>`,
    ],
  ])('takes one with %s', (_, text) => {
    expect(readSoapReply(text)).toEqual(read);
  });

  it('keeps texts as texts, and decodes each reference once', () => {
    const text = reply(
      '<PMSConfirmationNumber>0012e3</PMSConfirmationNumber><Flag>true</Flag><Empty/>' +
        '<ErrorMessage>&lt;a&gt; &amp;lt; &amp;#60; &quot;&apos; &#228;&#xE4;&#x1F600;</ErrorMessage>',
    );
    expect(readSoapReply(text)).toEqual({
      PMSConfirmationNumber: '0012e3',
      Flag: 'true',
      Empty: '',
      ErrorMessage: '<a> &lt; &#60; "\' ää\u{1F600}',
    });
  });

  it('reads what any writer wrote, in whatever way', () => {
    const writers: Record<string, (text: string) => string> = {
      entities: (text) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      decimal: (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join(''),
      hexadecimal: (text) =>
        Array.from(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
      cdata: (text) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
    };
    // White space around a text is no part of it, a line end is one character, a declaration is refused.
    const plain = anyText.map((text) => `x${asXmlHolds(text).replaceAll(/<!|\r/g, '')}x`);
    fc.assert(
      fc.property(plain, fc.constantFrom(...Object.keys(writers)), (text, writer) => {
        const written = writers[writer]?.(text) ?? '';
        expect(readSoapReply(reply(`<ErrorMessage>${written}</ErrorMessage>`))).toEqual({
          ErrorMessage: text,
        });
      }),
    );
  });

  it.each([
    ['a DOCTYPE', reply(SUCCESS, '<!DOCTYPE Envelope>')],
    ['a DOCTYPE in small letters', reply(SUCCESS, '<!doctype html>')],
    ['a DOCTYPE after a comment', reply(SUCCESS, '<?xml version="1.0"?><!-- x --><!DOCTYPE x>')],
    ['a DOCTYPE inside', reply(`<!DOCTYPE x>${SUCCESS}`)],
    ['an external DOCTYPE', reply(SUCCESS, '<!DOCTYPE x SYSTEM "https://evil.com/x.dtd">')],
    [
      'an entity that names a file',
      reply('<Status>&e;</Status>', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
    ],
    ['an entity alone', reply(`<!ENTITY e "x">${SUCCESS}`)],
    ['a declared element', reply(`<!ELEMENT Status ANY>${SUCCESS}`)],
    ['a declared element before it', reply(SUCCESS, '<!ELEMENT Status ANY>')],
    ['a declared attribute', reply(`<!ATTLIST Status a CDATA "b">${SUCCESS}`)],
    ['a notation', reply(`<!NOTATION n SYSTEM "n">${SUCCESS}`)],
    ['a billion laughs', reply('<Status>&lol9;</Status>', laughs)],
    [
      'a quadratic blow-up',
      reply(
        `<Status>${'&a;'.repeat(50_000)}</Status>`,
        `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(50_000)}">]>`,
      ),
    ],
  ])('refuses %s', (_, text) => {
    expect(readSoapReply(text)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \r\n'],
    ['a declaration alone', '<?xml version="1.0"?>'],
    ['a text', 'Success'],
    ['JSON', '{"Status":"Success"}'],
    ['a page', '<html><head><title>Sorry<br></title></head></html>'],
    ['an end that is missing', reply(SUCCESS).slice(0, -1)],
    ['an element that is not closed', reply('<Status>Success')],
    ['elements that cross', reply(`<a><b></a></b>${SUCCESS}`)],
    ['an end in other letters', reply('<Status>Success</status>')],
    ['a bare &', reply(`${SUCCESS}<a>R & B</a>`)],
    ['a bare <', reply(`${SUCCESS}<a>1 < 2</a>`)],
    ['a reference without an end', reply(`${SUCCESS}<a>&amp</a>`)],
    ['a reference to no number', reply(`${SUCCESS}<a>&#xZZ;</a>`)],
    ['an attribute without quotes', reply(`${SUCCESS}<a b=c/>`)],
    ['an attribute twice', reply(`${SUCCESS}<a b="1" b="2"/>`)],
    ['a CDATA section without an end', reply(`${SUCCESS}<![CDATA[`)],
    ['a comment without an end', reply(`${SUCCESS}<!--`)],
    ['a name that starts with a digit', reply(`${SUCCESS}<1a/>`)],
    ['a declaration that is not first', reply(SUCCESS, ' <?xml version="1.0"?>')],
    ['a text before', reply(SUCCESS, 'x')],
    ['a text after', reply(SUCCESS, '', 'x')],
    ['two envelopes', reply(SUCCESS).repeat(2)],
    ['another root after', reply(SUCCESS, '', '<x></x>')],
    ['another root before', reply(SUCCESS, '<x></x>')],
    ['another empty root after', reply(SUCCESS, '', '<x/>')],
    ['another empty root before', reply(SUCCESS, '<x/>')],
    ['very deep nesting', reply(SUCCESS + '<a>'.repeat(20_000) + '</a>'.repeat(20_000))],
  ])('refuses what is not well-formed, or not XML: %s', (_, text) => {
    expect(readSoapReply(text)).toBeNull();
  });

  it.each([
    ['no Envelope', SUCCESS],
    [
      'another root',
      `<Reply><Body><TransactionNotifRS>${SUCCESS}</TransactionNotifRS></Body></Reply>`,
    ],
    ['no Body', `<Envelope><TransactionNotifRS>${SUCCESS}</TransactionNotifRS></Envelope>`],
    ['an empty Body', '<Envelope><Body/></Envelope>'],
    ['a Fault', '<Envelope><Body><Fault><Code>x</Code></Fault></Body></Envelope>'],
    ['the request itself', write(texts)],
    ['an empty TransactionNotifRS', reply('')],
    ['a TransactionNotifRS with nothing but text', reply('Success')],
    ['two Bodies', '<Envelope><Body/><Body/></Envelope>'],
    [
      'two TransactionNotifRS',
      reply(`${SUCCESS}</TransactionNotifRS><TransactionNotifRS>${SUCCESS}`),
    ],
    [
      'a TransactionNotifRS too deep',
      reply(SUCCESS)
        .replaceAll('env:Body', 'env:Body><env:Body')
        .replace('</env:Body><env:Body>', '</env:Body></env:Body>'),
    ],
    ['other letters', reply(SUCCESS).toLowerCase()],
  ])('finds no reply where there is %s', (_, text) => {
    expect(readSoapReply(text)).toBeNull();
  });

  it('shows an element that comes twice, or has others inside, as no text', () => {
    const twice = readSoapReply(reply(`${SUCCESS}<x:Status xmlns:x="x">Success</x:Status>`));
    expect(twice?.['Status']).toEqual(['Success', 'Success']);
    const nested = readSoapReply(reply(`<Status>${SUCCESS}</Status>`));
    expect(nested?.['Status']).toEqual(read);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'is not misled by an element named %s',
    (name) => {
      const found = readSoapReply(reply(`<${name}>${SUCCESS}</${name}>`));
      expect(found?.['Status']).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as Record<string, unknown>)['Status']).toBeUndefined();
    },
  );

  it('never throws, whatever the text', () => {
    const broken = fc.tuple(anyText, fc.nat(300), fc.nat(20)).map(([text, at, gone]) => {
      const whole = reply(SUCCESS);
      return whole.slice(0, at) + text + whole.slice(at + gone);
    });
    fc.assert(
      fc.property(fc.oneof(anyText, broken), (text) => {
        const found = readSoapReply(text);
        expect(found === null || typeof found === 'object').toBe(true);
      }),
    );
  });
});
