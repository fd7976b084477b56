import { z } from '@hono/zod-openapi';
import type { Api } from '../../http/operation.ts';
import {
  bookingDataSchema,
  cancellationDataSchema,
  echoDataSchema,
  envelopeHead,
  replyHead,
  transactionDataSchema,
} from '../../pms/messageSchemas.ts';
import { propertyDataSchema } from '../../records/rooms/views.ts';

/** A message: what it tells, its own members, and those of its reply. */
interface Described {
  readonly meaning: string;
  readonly members: z.ZodRawShape;
  readonly reply: z.ZodRawShape;
}

const numbered = {
  PMSConfirmationNumber: z
    .union([z.string(), z.int()])
    .optional()
    .openapi({ example: 'PMS-1006' })
    .describe("the PMS's own number of the booking, which the service keeps"),
};

/** The messages to a PMS (pms: Messages to the PMS). */
const messages: Readonly<Record<string, Described>> = {
  PushBooking: {
    meaning: 'A booking was made',
    members: { BookingData: bookingDataSchema },
    reply: numbered,
  },
  PushModification: {
    meaning: 'A booking was changed, or its guest entered a card',
    members: { BookingData: bookingDataSchema },
    reply: numbered,
  },
  PushCancellation: {
    meaning: 'A booking was cancelled',
    members: { CancellationData: cancellationDataSchema },
    reply: numbered,
  },
  PushTransaction: {
    meaning: 'Money moved: a charge, a refund, a correction or a dispute',
    members: { TransactionData: transactionDataSchema },
    reply: {},
  },
  Ping: {
    meaning: 'Asks whether the PMS answers',
    members: { EchoData: echoDataSchema },
    reply: { EchoData: echoDataSchema },
  },
  GetPropertyInfo: {
    meaning: 'Asks for the room types and rate types',
    members: {},
    reply: { PropertyData: propertyDataSchema },
  },
};

/** Adds the messages that the service sends to a PMS to the document, as its `webhooks`. */
export function registerMessagesToPms(api: Api): void {
  for (const [type, { meaning, members, reply }] of Object.entries(messages)) {
    api.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `receive${type}`,
      summary: meaning,
      description:
        `${meaning}. The service sends it to the address of the property's PMS, and again until it is confirmed ` +
        'by `Status` `Success`.',
      tags: ['messages'],
      security: [],
      request: {
        body: {
          required: true,
          content: {
            'application/json': {
              schema: z.object({ ...envelopeHead, MessageType: z.literal(type), ...members }),
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The PMS took the message, or says that it does not',
          content: { 'application/json': { schema: z.object({ ...replyHead, ...reply }) } },
        },
        '4XX': { description: 'The PMS did not take the message' },
      },
    });
  }
}
