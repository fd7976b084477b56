import { type Body, parseJson } from './body.ts';
import { isMembers, type Members } from './members.ts';
import { readSoap } from './soap.ts';
import { Unreadable } from './unreadable.ts';

/** A received message, from JSON or XML, without any checks. */
export interface Envelope {
  readonly format: 'JSON' | 'XML';
  /** The namespace of the XML request. */
  readonly namespace: string | null;
  readonly members: Members;
}

/** Reads the envelope of a body by its content type: JSON or SOAP 1.2. */
export function readEnvelope({ contentType, text }: Body): Envelope {
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(/\s*;\s*/);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-8"?$/.test(charset)) {
    throw new Unreadable(415, 'the body must be UTF-8');
  }
  if (mediaType === 'application/json') {
    const members = parseJson(text);
    if (!isMembers(members)) throw new Unreadable(400, 'the body is not a JSON object');
    return { format: 'JSON', namespace: null, members };
  }
  if (mediaType === 'application/soap+xml') return { format: 'XML', ...readSoap(text) };
  throw new Unreadable(415, 'the body must be application/json or application/soap+xml');
}

/** The data member of the message's type; null when it has none. */
export function dataIn({ members }: Envelope): Members | null {
  const parts = [members['BookingData'], members['CancellationData'], members['TransactionData']];
  return parts.find(isMembers) ?? null;
}

/** The booking reference of a message; null when it has none. */
export function referenceIn(data: Members | null): string | null {
  const reference = data?.['Reference'] ?? data?.['RelatedReference'];
  return typeof reference === 'string' ? reference : null;
}
