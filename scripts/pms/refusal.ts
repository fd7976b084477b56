import type { z } from 'zod';
import type { Envelope } from './envelope.ts';
import { isMembers, type Members, textIn } from './members.ts';
import { authenticationShape, envelopeShape, messageShapes, xmlOrder } from './shapes.ts';

/** The credentials that the PMS expects. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The reason why a strict PMS refuses a message; null when it accepts it. */
export function refusalOf(envelope: Envelope, credentials: Credentials): string | null {
  const { format, members } = envelope;
  if (!isLetIn(members['Authentication'], credentials)) return 'Authentication failed';
  const faults = faultsIn(envelopeShape, members);
  if (faults.length > 0) return faults.join('; ');
  const type = textIn(members, 'MessageType');
  const shape = messageShapes.get(type);
  if (shape === undefined) return `MessageType ${type} is not known`;
  if (format === 'XML' && type !== 'PushTransaction') return `${type} is not taken as XML`;
  const isOrdered = format === 'JSON' || isInOrder(members);
  return faultsIn(shape, members).join('; ') || (isOrdered ? null : 'Elements out of order');
}

/** Whether the elements of a transaction come in the order that strict readers of XML expect. */
function isInOrder(members: Members): boolean {
  const { TransactionData } = members;
  const inside = isMembers(TransactionData) ? Object.keys(TransactionData) : [];
  return (
    Object.keys(members).join() === xmlOrder.request.join() &&
    inside.join() === xmlOrder.transaction.join()
  );
}

function isLetIn(authentication: unknown, { username, password }: Credentials): boolean {
  const { data } = authenticationShape.safeParse(authentication);
  return data?.Username === username && data.Password === password;
}

function faultsIn(shape: z.ZodType, members: Members): string[] {
  const { error } = shape.safeParse(members);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}
