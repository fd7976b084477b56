import { z } from '@hono/zod-openapi';
import { text, time } from '../../src/pms/messageSchemas.ts';

/** `EchoData` of `Ping`, which the reply repeats. */
export const echoDataSchema = text('0903f462-ba97-4804-8236-8641119e6d56').describe(
  'a random text, which the reply returns',
);

/** The members that every message has before those of its type (pms: Envelope). */
export const envelopeHead = {
  Authentication: z
    .object({ Username: text('pms-user'), Password: text('pms-pass') })
    .describe("the credentials of the property's PMS")
    .openapi('PmsCredentials'),
  MessageID: z
    .uuid()
    .openapi({ example: '01998f00-0000-7000-8000-000000000000' })
    .describe('the same on every attempt'),
  TimeStamp: time,
};

/** The members of every reply (pms: Envelope). */
export const replyHead = {
  MessageID: envelopeHead.MessageID.describe('that of the message'),
  TimeStamp: time.optional().describe('that of the message'),
  Status: z.enum(['Success', 'Error']).describe('whether the PMS took it'),
  ErrorMessage: z.string().optional().describe('with `Error`: the problem'),
};
