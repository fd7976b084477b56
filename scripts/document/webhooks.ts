import { z } from '@hono/zod-openapi';
import { deliverySchema } from '../../src/events/views.ts';
import type { Api } from '../../src/http/operation.ts';
import { jsonAnswer, jsonBody } from '../../src/http/responses.ts';
import {
  bookingDataSchema,
  cancellationDataSchema,
  transactionDataSchema,
} from '../../src/pms/messageSchemas.ts';
import { type EventType, eventTypes } from '../../src/records/history/rules/eventTypes.ts';
import { propertyDataSchema } from '../../src/records/rooms/views.ts';
import { echoDataSchema, envelopeHead, replyHead } from './envelope.ts';

/** The meaning of each type of event (interface: Types of events). */
const meanings: Readonly<Record<EventType, string>> = {
  'booking.saved': 'A booking was made, changed or booked again',
  'booking.cancelled': 'A booking was cancelled',
  'payment.accepted': 'A charge or a scheduled charge was accepted',
  'payment.declined': 'A charge, a scheduled charge or a pre-authorization was declined for good',
  'payment.failed': 'A charge, a scheduled charge or a pre-authorization failed: nothing was taken',
  'payment.unknown': 'The gateway did not answer: the outcome is being found out',
  'payment.corrected': "The acquirer's record corrected a payment",
  'schedule.created': 'A charge was scheduled',
  'schedule.retrying': 'A scheduled charge did not succeed and will be tried again',
  'schedule.cancelled': 'A scheduled charge was cancelled',
  'authorization.authorized': 'An amount is held on a card',
  'authorization.captured': 'A held amount was charged',
  'authorization.released': 'A held amount was let go',
  'authorization.expired': 'A held amount expired',
  'refund.refunded': 'A refund was made',
  'refund.failed': 'A refund failed, at once or later',
  'card.attached': 'A card was attached to a booking',
  'card.updated': 'The acquirer renewed a card',
  'card.expiring': 'A card expires before its scheduled charge, or before a part of a plan',
  'card.virtual_active': 'A virtual card is active: it can be charged',
  'card.virtual_lapsing': 'A virtual card will soon end, and something can still be charged on it',
  'dispute.opened': "A cardholder's bank disputes a charge",
  'dispute.due_soon': 'An answer to a dispute is due in 48 hours',
  'dispute.won': 'A dispute was won',
  'dispute.lost': 'A dispute was lost',
  'disbursement.paid_out': 'A disbursement was paid out',
  'disbursement.failed': 'A disbursement failed',
  'application.moved': 'An application moved to another state',
  'balance.overpaid': 'A booking became overpaid, or more so',
  'plan.saved': 'A payment plan was put',
  'plan.completed': 'Nothing of a payment plan is to be charged any more',
  'plan.cancelled': 'A payment plan was cancelled',
  'plan.changed': 'A payment plan follows a change of its booking or its payments',
  'recovery.flagged': 'No new card came before the deadline for a charge, or for a part of a plan',
  'settlement.settled': 'All that the cancellation of a booking came to came in and went back',
  'settlement.incomplete': 'Something of that could not be taken or given back',
};

/** A message: its meaning, its own members, and those of its reply. */
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

const text = (description: string) => z.string().openapi({ description });

const headers = z.object({
  'webhook-id': text("The event's id, the same at each attempt."),
  'webhook-timestamp': text('When it was sent: seconds since 1970, real time.'),
  'webhook-signature': text('One or two signatures, separated by a space: `v1,` and base64.'),
});

/** Adds what the service sends to the document, as its `webhooks`: messages to a PMS, and events to endpoints. */
export function registerWebhooks({ openAPIRegistry }: Api): void {
  for (const [type, { meaning, members, reply }] of Object.entries(messages)) {
    const schema = z.object({ ...envelopeHead, MessageType: z.literal(type), ...members });
    openAPIRegistry.registerWebhook({
      ...sent('messages', type, meaning, [
        "The service sends it to the address of the property's PMS,",
        'and again until it is confirmed by `Status` `Success`.',
      ]),
      request: { body: jsonBody(schema) },
      responses: {
        200: jsonAnswer(
          z.object({ ...replyHead, ...reply }),
          'The PMS took the message, or says that it does not',
        ),
        '4XX': { description: 'The PMS did not take the message' },
      },
    });
  }
  for (const type of eventTypes) {
    openAPIRegistry.registerWebhook({
      ...sent('event', type, meanings[type], [
        'Sent to each active endpoint whose `types` fit, and again until it answers 2xx.',
      ]),
      request: { headers, body: jsonBody(bodyOf(type)) },
      responses: {
        '2XX': { description: 'The endpoint took the event' },
        410: { description: 'The endpoint wants no more events: it is deactivated' },
      },
    });
  }
}

function sent(tag: string, type: string, meaning: string, further: readonly string[]) {
  return {
    method: 'post' as const,
    path: type,
    operationId: `receive${nameOf(type)}`,
    summary: meaning,
    description: [`${meaning}.`, ...further].join(' '),
    tags: [tag],
    security: [],
  };
}

function bodyOf(type: EventType): z.ZodObject {
  const schema = deliverySchema.options.find(({ shape }) =>
    shape.type.options.some((one) => one === type),
  );
  if (!schema) throw new Error(`No delivery has the type ${type}`);
  return schema.extend({ type: z.literal(type) });
}

/** `payment.accepted` is `PaymentAccepted`. */
function nameOf(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
