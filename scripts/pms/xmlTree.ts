import { SaxesParser } from 'saxes';
import { Unreadable } from './unreadable.ts';

/** An element of a parsed document. */
export interface XmlElement {
  readonly local: string;
  readonly prefix: string;
  readonly uri: string;
  readonly children: XmlElement[];
  /** The text directly inside it. */
  text: string;
}

/**
 * Parses a document with namespaces. Refuses everything that SOAP forbids (DOCTYPE, processing instructions), and CDATA
 * sections: senders must write `<` and `&` as entities.
 */
export function parseXml(text: string): XmlElement {
  const document: XmlElement = { local: '', prefix: '', uri: '', children: [], text: '' };
  const open = [document];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => refuse(`the body is not well-formed XML: ${error.message}`));
  parser.on('doctype', () => refuse('a DOCTYPE is not taken'));
  parser.on('processinginstruction', () => refuse('a processing instruction is not taken'));
  parser.on('cdata', () => refuse('a CDATA section is not taken'));
  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (encoding.toUpperCase() !== 'UTF-8') refuse('the XML must be UTF-8');
  });
  parser.on('opentag', ({ local, prefix, uri }) => {
    const element: XmlElement = { local, prefix, uri, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  parser.write(text).close();
  const [root] = document.children;
  return root ?? refuse('the body has no element');
}

function refuse(message: string): never {
  throw new Unreadable(400, message);
}
