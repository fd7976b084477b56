import { z } from '@hono/zod-openapi';
import {
  type Failure,
  type FieldIssue,
  fieldFailure,
  type JsonObject,
} from '../../core/failure.ts';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import { err, type Result } from '../../core/result.ts';
import type { CallerProperty } from '../../http/context.ts';
import { identifierText } from '../../http/fields.ts';
import { fieldIssues } from '../../http/issues.ts';
import { BODY_LIMIT_BYTES } from '../../http/json.ts';
import type { ArchiveWork } from '../../records/archive/read.ts';
import type { Scope } from '../../records/clients/rules/scopes.ts';
import { MOST_ISSUES } from './rules/failures.ts';
import { authentication, messageId } from './schemas.ts';

export interface MessageContext extends ArchiveWork {
  readonly property: CallerProperty;
}

export interface MessageHandler {
  readonly type: string;
  readonly scope: Scope;
  readonly limitBytes: number;
  /** Validates a message and carries it out. The value is the reply's own members. */
  readonly handle: (context: MessageContext, message: object) => Promise<Result<JsonObject>>;
  /** The schemas of the whole message and of the reply's own members, for the OpenAPI document. */
  readonly openApi: { readonly message: z.ZodObject; readonly answer: z.ZodRawShape };
}

interface Definition<Members extends z.ZodRawShape, Answer extends z.ZodRawShape> {
  readonly type: string;
  readonly scope: Scope;
  /** The size limit of the message, if it is not the usual one. */
  readonly limitBytes?: number;
  /** Makes the schema of the message's own members, for a currency with `exponent` decimals. */
  readonly members: (exponent: number) => z.ZodObject<Members>;
  /** The schemas of the reply's own members. */
  readonly answer: Answer;
  /** Carries out a valid message and returns the reply's members. */
  readonly handle: (
    context: MessageContext,
    members: z.infer<z.ZodObject<Members>>,
  ) => Promise<Result<z.infer<z.ZodObject<NoInfer<Answer>>>>>;
}

export function messageHandler<Members extends z.ZodRawShape, Answer extends z.ZodRawShape>(
  definition: Definition<Members, Answer>,
): MessageHandler {
  const { answer, handle, limitBytes = BODY_LIMIT_BYTES, members, scope, type } = definition;
  const made = new Map<number, z.ZodObject<Members>>();
  const membersFor = (exponent: number) =>
    getOrInsertComputed(made, exponent, () => members(exponent));
  return {
    type,
    scope,
    limitBytes,
    handle: async (context, message) => {
      const read = membersFor(context.property.exponent).safeParse(message);
      const issues = [...headIssues(message), ...issuesOf(message, read.error)];
      return read.success && issues.length === 0
        ? handle(context, read.data)
        : err(invalidMessage(issues));
    },
    openApi: { message: messageSchema(type, members(2).shape), answer },
  };
}

/** The schema of a whole message, for the OpenAPI document. */
export function messageSchema(type: string, members: z.ZodRawShape): z.ZodObject {
  return z.object({
    Authentication: authentication
      .optional()
      .describe("the credentials of the property's PMS, instead of an access token"),
    MessageType: z.literal(type),
    MessageID: messageId.describe('repeated by the reply'),
    TimeStamp: z
      .string()
      .optional()
      .openapi({ example: '2027-02-10T09:00:00+08:00' })
      .describe("the reply repeats 1–100 characters; else it has the service's"),
    ...members,
  });
}

/** The endpoint does not accept this type of message. */
export function unsupportedMessage(message: object, types: readonly string[]): Failure {
  const { error } = z.object({ MessageType: z.enum(types) }).safeParse(message);
  return invalidMessage([...issuesOf(message, error), ...headIssues(message)]);
}

/** A `TimeStamp` of another form gets a reply with the service's own time. */
const head = z.object({
  MessageID: messageId,
  TimeStamp: z
    .unknown()
    .optional()
    .transform((sent) => (typeof sent === 'string' ? sent : ''))
    .pipe(identifierText),
});

/** What is wrong with the members that every message has. */
export function headIssues(message: object): FieldIssue[] {
  return issuesOf(message, head.safeParse(message).error);
}

function issuesOf(message: object, error: z.ZodError | undefined): FieldIssue[] {
  return error ? fieldIssues(message, error) : [];
}

/** The failure of an invalid message. Lists at most `MOST_ISSUES` of its issues. */
export function invalidMessage(issues: readonly FieldIssue[]): Failure {
  return fieldFailure(issues.slice(0, MOST_ISSUES));
}
