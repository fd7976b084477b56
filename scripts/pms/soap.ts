import type { Members } from './members.ts';
import { Unreadable } from './unreadable.ts';
import { parseXml, type XmlElement } from './xmlTree.ts';

/** The namespace of SOAP 1.2. */
const SOAP = 'http://www.w3.org/2003/05/soap-envelope';

/** The request in a SOAP 1.2 document: its namespace, and its elements as members. */
export function readSoap(text: string): { readonly namespace: string; readonly members: Members } {
  const envelope = parseXml(text);
  if (envelope.uri !== SOAP || envelope.local !== 'Envelope') {
    throw new Unreadable(400, 'the XML is no SOAP 1.2 envelope');
  }
  const bodies = envelope.children.filter(({ uri, local }) => uri === SOAP && local === 'Body');
  const [request, ...others] = bodies.flatMap(({ children }) => children);
  if (request?.local !== 'TransactionNotifRQ' || others.length > 0) {
    throw new Unreadable(400, 'the SOAP body does not hold one TransactionNotifRQ');
  }
  if (request.uri === '' || request.uri === SOAP) {
    throw new Unreadable(400, 'TransactionNotifRQ has no namespace of its own');
  }
  requireDefaultNamespace(request, request.uri);
  return { namespace: request.uri, members: membersOf(request) };
}

/** A reply as a SOAP 1.2 document with a `TransactionNotifRS` in the namespace of the request. */
export function writeSoap(namespace: string, members: Members): string {
  const elements = Object.entries(members).map(
    ([name, value]) => `<${name}>${escaped(String(value))}</${name}>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<env:Envelope xmlns:env="${SOAP}"><env:Body><TransactionNotifRS xmlns="${escaped(namespace)}">${elements.join('')}</TransactionNotifRS></env:Body></env:Envelope>`;
}

function requireDefaultNamespace(element: XmlElement, namespace: string): void {
  if (element.prefix !== '' || element.uri !== namespace) {
    throw new Unreadable(400, `${element.local} is not in the default namespace`);
  }
  for (const child of element.children) requireDefaultNamespace(child, namespace);
}

/** An element's members. Child elements become members; texts stay unchanged. */
function membersOf(element: XmlElement): Members {
  const { local, children, text } = element;
  if (/[^ \t\r\n]/.test(text)) throw new Unreadable(400, `${local} holds text between elements`);
  const names = new Set(children.map((child) => child.local));
  if (names.size < children.length) throw new Unreadable(400, `${local} holds an element twice`);
  return Object.fromEntries(
    children.map((child) => [
      child.local,
      child.children.length > 0 ? membersOf(child) : child.text,
    ]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character);
}
