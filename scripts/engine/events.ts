import { z } from 'zod';

/** What this engine reads of an event. It ignores what it does not know. */
export const eventSchema = z.object({
  eventId: z.string(),
  type: z.string(),
  data: z.object({
    reference: z.string().nullable(),
    sequence: z.number().nullable(),
    booking: z.object({ status: z.string(), totalCost: z.number() }).optional(),
    transaction: z.object({ id: z.number(), status: z.string(), amount: z.number() }).optional(),
    refund: z.object({ id: z.number(), status: z.string(), amount: z.number() }).optional(),
  }),
});

/** An event of the service. */
export type ServiceEvent = z.infer<typeof eventSchema>;

/** A page of the list of events. */
export const pageSchema = z.object({
  events: z.array(eventSchema),
  nextCursor: z.string().nullable(),
});

/** An endpoint, with its secret when one was made. */
export const endpointSchema = z.object({
  endpoint: z.object({ endpointId: z.string(), secret: z.string().optional() }),
});
