import XMLBuilder from 'fast-xml-builder';
import { SaxesParser } from 'saxes';
import type { JsonObject } from '../../core/failure.ts';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import type { Envelope, OutgoingBody, PmsCredentials } from './envelope.ts';

/** SOAP 1.2. */
const SOAP_NAMESPACE = 'http://www.w3.org/2003/05/soap-envelope';

/** The namespace of a transaction message, unless the property names another. */
export const DEFAULT_NAMESPACE = 'urn:booking-payments:transaction-notification:1';

/** Characters that XML 1.0 cannot contain, not even as references. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A DOCTYPE or another declaration, but not a comment or CDATA section. */
const DECLARATION = /<!(?!--|\[CDATA\[)/;

/** More than any reply has: a hostile one would fill memory. */
const DEEPEST = 100;

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  processEntities: true,
});

/**
 * Writes a transaction message as SOAP 1.2 XML (pms: Transactions as SOAP XML): `TransactionNotifRQ` in the property's
 * namespace, without prefixes inside. A character that XML cannot contain becomes U+FFFD.
 */
export function soapBody(
  envelope: Envelope,
  credentials: PmsCredentials,
  namespace: string,
): OutgoingBody {
  const { messageId, timeStamp, messageType, members } = envelope;
  const request = {
    '@xmlns': namespace,
    Authentication: { Username: credentials.username, Password: credentials.password },
    TimeStamp: timeStamp,
    MessageID: messageId,
    MessageType: messageType,
    ...members,
  };
  const document: unknown = builder.build({
    'soap:Envelope': {
      '@xmlns:soap': SOAP_NAMESPACE,
      'soap:Body': { TransactionNotifRQ: writable(request) },
    },
  });
  // XML parsers turn a literal carriage return into a line feed.
  const text = String(document).replaceAll('\r', '&#13;');
  return {
    contentType: 'application/soap+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  };
}

function writable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(NOT_IN_XML, '\u{FFFD}');
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writable(inner)]));
}

/** The members of a SOAP reply's `TransactionNotifRS`; null for any other text, or one with a DOCTYPE. */
export function readSoapReply(text: string): JsonObject | null {
  if (DECLARATION.test(text)) return null;
  try {
    const envelope = member(readTree(text), 'Envelope');
    const reply = member(member(envelope, 'Body'), 'TransactionNotifRS');
    return isObject(reply) ? reply : null;
  } catch {
    return null;
  }
}

interface Element {
  readonly name: string;
  readonly members: Map<string, unknown[]>;
  text: string;
}

const begin = (name: string): Element => ({ name, members: new Map(), text: '' });

/** A document by the local names of its elements, without attributes. Throws for what is not well-formed. */
function readTree(text: string): JsonObject {
  const document = begin('');
  const open = [document];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    if (open.length > DEEPEST) throw new Error('it is too deep');
    open.push(begin(name.slice(name.indexOf(':') + 1)));
  });
  const add = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const element = open.pop() ?? document;
    const members = (open.at(-1) ?? document).members;
    getOrInsertComputed(members, element.name, () => []).push(contentOf(element));
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return membersOf(document);
}

/** The members of an element, or its text if it has none. */
function contentOf(element: Element): JsonObject | string {
  return element.members.size === 0 ? element.text.trim() : membersOf(element);
}

function membersOf({ members }: Element): JsonObject {
  const all = [...members].map(([name, values]) => [name, values.length > 1 ? values : values[0]]);
  return Object.fromEntries(all) as JsonObject;
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
