import { z } from '@hono/zod-openapi';
import { deliverySchema } from '../../events/views.ts';
import type { Api } from '../../http/operation.ts';
import { type EventType, eventTypes } from '../../records/history/rules/eventTypes.ts';

/** What each type of event tells (interface: Types of events). */
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
  'card.expiring': 'A card expires before its scheduled charge',
  'dispute.opened': "A cardholder's bank disputes a charge",
  'dispute.won': 'A dispute was won',
  'dispute.lost': 'A dispute was lost',
  'disbursement.paid_out': 'A disbursement was paid out',
  'disbursement.failed': 'A disbursement failed',
  'application.moved': 'An application moved to another state',
  'balance.overpaid': 'A booking became overpaid, or more so',
  'recovery.flagged': 'No new card came before the deadline for a charge',
};

const text = (description: string) => z.string().openapi({ description });

/** The headers of Standard Webhooks. */
const headers = z.object({
  'webhook-id': text("The event's id, the same at each attempt."),
  'webhook-timestamp': text('When it was sent: seconds since 1970, real time.'),
  'webhook-signature': text('One or two signatures, separated by a space: `v1,` and base64.'),
});

/** Adds the deliveries of events to the document, as its `webhooks`. */
export function registerDeliveries(api: Api): void {
  for (const type of eventTypes) {
    const meaning = meanings[type];
    api.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `receive${nameOf(type)}`,
      summary: meaning,
      description: `${meaning}. Sent to each active endpoint whose \`types\` fit, and again until it answers 2xx.`,
      tags: ['event'],
      security: [],
      request: {
        headers,
        body: {
          required: true,
          content: {
            'application/json': { schema: bodyOf(type) },
          },
        },
      },
      responses: {
        '2XX': { description: 'The endpoint took the event' },
        410: { description: 'The endpoint wants no more events: it is deactivated' },
      },
    });
  }
}

/** The body of a delivery of this type alone. */
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
