const nullable = (type: string) => ({ type: [type, 'null'] });
const text = { type: 'string' } as const;
const object = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const booking = object(
  {
    Reference: text,
    PMSConfirmationNumber: nullable('string'),
    ChannelName: text,
    ChannelID: text,
    Created: text,
    ArrivalDate: text,
    DepartureDate: text,
    ETA: nullable('string'),
    Guest: { type: 'object' },
    RoomStays: { type: 'array', items: { type: 'object' } },
  },
  ['PMSConfirmationNumber'],
);

/** The payloads of the messages to a PMS (pms: Messages to the PMS). */
const payloads: Readonly<Record<string, { meaning: string; payload: Record<string, object> }>> = {
  PushBooking: { meaning: 'A booking was made', payload: { BookingData: booking } },
  PushModification: {
    meaning: 'A booking was changed, or its guest entered a card',
    payload: { BookingData: booking },
  },
  PushCancellation: {
    meaning: 'A booking was cancelled',
    payload: {
      CancellationData: object({ Reference: text, PMSConfirmationNumber: nullable('string') }),
    },
  },
  PushTransaction: {
    meaning: 'Money moved: a charge, a refund, a correction or a dispute',
    payload: { TransactionData: { type: 'object' } },
  },
  Ping: { meaning: 'Asks whether the PMS answers', payload: { EchoData: text } },
  GetRoomsRates: { meaning: 'Asks for the room types and rate types', payload: {} },
};

const reply = object(
  {
    MessageType: text,
    MessageID: text,
    Status: { type: 'string', enum: ['Success', 'Failure'] },
    ErrorMessage: nullable('string'),
  },
  ['MessageType', 'ErrorMessage'],
);

/** The messages that the service sends to a PMS, as `webhooks` of the document. */
export function webhooksToPms(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(payloads).map(([type, { meaning, payload }]) => [
      type,
      {
        post: {
          operationId: `receive${type}`,
          summary: meaning,
          description: `${meaning}. The service sends it to the address of the property's PMS, and again until it is confirmed.`,
          tags: ['messages'],
          security: [],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: object({
                  MessageType: { type: 'string', const: type },
                  MessageID: text,
                  TimeStamp: text,
                  Authentication: object({ Username: text, Password: text }),
                  ...payload,
                }),
              },
            },
          },
          responses: {
            '200': {
              description: 'The PMS has the message',
              content: { 'application/json': { schema: reply } },
            },
            '4XX': { description: 'The PMS refuses the message' },
          },
        },
      },
    ]),
  );
}
