import { z } from '@hono/zod-openapi';
import type { Scope } from '../clients/scopes.ts';
import { type Failure, fieldFailure, type JsonObject } from '../core/failure.ts';
import { madeOnce } from '../core/made.ts';
import { err, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import type { CallerProperty } from '../http/context.ts';
import { fieldFaults } from '../http/faults.ts';
import { MOST_FAULTS } from './failures.ts';
import { authentication, messageId, timeStamp } from './schemas.ts';

/** What a message is handled with. */
export interface MessageWork {
  readonly database: Database;
  readonly property: CallerProperty;
}

/** One type of message: who may send it, how large it may be, and what becomes of it. */
export interface MessageHandler {
  readonly scope: Scope;
  readonly limitBytes: number;
  /** Validates a message and does what it says; the value is the reply's own members. */
  readonly handle: (work: MessageWork, message: object) => Promise<Result<JsonObject, Failure>>;
  /** The whole message and its own part of the reply, for the OpenAPI document. */
  readonly documented: { readonly message: z.ZodObject; readonly answer: z.ZodRawShape };
}

interface Description<Members extends z.ZodRawShape> {
  readonly type: string;
  readonly scope: Scope;
  readonly limitBytes: number;
  /** The message's own members, which may depend on the decimals of the property's currency. */
  readonly members: (exponent: number) => z.ZodObject<Members>;
  readonly answer: z.ZodRawShape;
  readonly handle: (
    work: MessageWork,
    members: z.output<z.ZodObject<Members>>,
  ) => Promise<Result<JsonObject, Failure>>;
}

/** Makes the handler of one type of message. */
export function messageHandler<Members extends z.ZodRawShape>(
  description: Description<Members>,
): MessageHandler {
  const { type, scope, limitBytes, members, answer } = description;
  const made = new Map<number, z.ZodObject<Members>>();
  const membersFor = (exponent: number) => madeOnce(made, exponent, () => members(exponent));
  return {
    scope,
    limitBytes,
    handle: async (work, message) => {
      const read = membersFor(work.property.exponent).safeParse(message);
      const faulty = [readHead(message), read.error].filter((error) => error !== undefined);
      return read.success && faulty.length === 0
        ? description.handle(work, read.data)
        : err(faultyMessage(message, faulty));
    },
    documented: {
      message: z.object({
        Authentication: authentication
          .optional()
          .describe("The property's own credentials, in place of an access token."),
        MessageType: z.literal(type),
        MessageID: messageId,
        TimeStamp: timeStamp.optional(),
        ...members(2).shape,
      }),
      answer,
    },
  };
}

/** A message of a type that has no place where it was sent. */
export function misplacedMessage(message: object, types: readonly string[]): Failure {
  const { error } = z.object({ MessageType: z.enum(types) }).safeParse(message);
  return faultyMessage(
    message,
    [error, readHead(message)].filter((it) => it !== undefined),
  );
}

const head = z.object({ MessageID: messageId });

function readHead(message: object): z.ZodError | undefined {
  return head.safeParse(message).error;
}

/** Names every faulty field of a message, but only so many of them. */
function faultyMessage(message: object, errors: readonly z.ZodError[]): Failure {
  const faults = errors.flatMap((error) => fieldFaults(message, error));
  return fieldFailure(faults.slice(0, MOST_FAULTS));
}
