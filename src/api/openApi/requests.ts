import { DAY_MS, HOUR_MS } from '../../core/time.ts';

/** Times and days ahead of the moment at which the document is served. */
interface Ahead {
  /** An instant after some hours, as ISO 8601. */
  readonly hours: (count: number) => string;
  /** A day after some days, as `YYYY-MM-DD`. */
  readonly day: (count: number) => string;
}

type Request = (ahead: Ahead) => Readonly<Record<string, unknown>>;

const PROPERTY = 'example-hotel';
const REFERENCE = 'EXAMPLE-1001';
const CHARGE = 371_022_640_840_704;
const MESSAGE = '01998f00-0000-7000-8000-000000000000';

const ofBooking = () => ({ reference: REFERENCE });
const ofCharge = () => ({ reference: REFERENCE, chargeId: CHARGE });
const ofEndpoint = () => ({ endpointId: 'whe_0192f3c4a5b67c8d9e0f1a2b3c4d5e6f' });
const ofProperty = () => ({ property: PROPERTY });

/** A day as `DD-MM-YYYY`. */
const dayFirst = (day: string) => day.split('-').toReversed().join('-');

const message = (MessageType: string, members: object = {}) => ({
  MessageType,
  MessageID: 'example-1',
  ...members,
});

/** A night of a room type. */
const night = ({ day }: Ahead) => ({
  RoomTypeCode: 'DLX',
  StartDate: day(30),
  EndDate: day(30),
});

/** A request for each operation, which the service reads as it stands. */
const requests: Readonly<Record<string, Request>> = {
  '/auth/v1/token': () => ({
    grant_type: 'client_credentials',
    client_id: 'example-client',
    client_secret: 'example-secret',
    scope: 'bookings payments',
  }),
  '/booking/v1/create/manage-payments': ({ day }) => ({
    reference: REFERENCE,
    arrival: dayFirst(day(30)),
    departure: dayFirst(day(33)),
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Nguyen',
    totalCost: 600,
    firstNightCost: 200,
  }),
  '/booking/v1/get-details': ofBooking,
  '/booking/v1/get-url': () => ({ reference: REFERENCE, expiresInMinutes: 1440 }),
  '/booking/v1/list': ({ day }) => ({ status: 'booked', arrivalFrom: day(0), limit: 100 }),
  '/payment/v1/balance': () => ({ reference: REFERENCE }),
  '/payment/v1/quote': () => ({ reference: REFERENCE, amount: 150, cardType: 'visa' }),
  '/payment/v1/list': () => ({ status: 'Accepted', limit: 100 }),
  '/application/v1/list': () => ({ status: 'Tentative', limit: 100 }),
  '/payment/v1/tokenize': () => ({
    reference: REFERENCE,
    cardNumber: '4242424242424242',
    cardHolderName: 'A Nguyen',
    cardExpiry: `12/${new Date().getUTCFullYear() + 3}`,
  }),
  '/payment/v1/request-card-details': ofBooking,
  '/card/v1/health': ({ hours }) => ({ from: hours(0), to: hours(720) }),
  '/payment/v1/create': () => ({
    reference: REFERENCE,
    amount: 150,
    transactionType: 'Deposit',
    description: 'Deposit for two nights',
  }),
  '/payment/v1/schedule': ({ hours }) => ({ reference: REFERENCE, amount: 150, time: hours(24) }),
  '/payment/v1/charge-pre-auth': () => ({ ...ofCharge(), amount: 100 }),
  '/payment/v1/cancel-pre-auth': ofCharge,
  '/payment/v1/cancel-schedule': ofCharge,
  '/payment/v1/cancel-schedules': ofBooking,
  '/payment/v1/transaction': ofBooking,
  '/payment/v1/get-transaction': ofCharge,
  '/refund/v1/create': () => ({ reference: REFERENCE, amount: 50, chargeId: CHARGE }),
  '/dispute/v1/list': () => ({ status: 'needs_response', limit: 100 }),
  '/disbursement/v1/get-all': () => ({ status: 'paid_out', limit: 100 }),
  '/disbursement/v1/get-details': () => ({ disbursementId: 'sandbox-2027-02-14' }),
  '/application/v1/create': ({ day }) => ({
    email: 'guest@hotel.com',
    arrival: day(30),
    departure: day(114),
    university: 'Example University',
  }),
  '/application/v1/update': () => ({ applicationNumber: 'APP-7K3M0QZ94T', city: 'Perth' }),
  '/application/v1/get-details': () => ({ applicationNumber: 'APP-7K3M0QZ94T' }),
  '/application/v1/update-status': () => ({
    applicationNumber: 'APP-7K3M0QZ94T',
    status: 'Offered',
  }),
  '/ping/v1': () => message('Ping', { EchoData: 'example' }),
  '/property-info/v1/get': () => message('GetPropertyInfo'),
  '/rooms/v1/get-inventory': ({ day }) =>
    message('GetInventory', {
      pmsRoomTypeCode: 'DLX',
      checkIn: day(30),
      checkOut: day(33),
      adults: 2,
    }),
  '/rooms/v1/push': (ahead) =>
    message('SetInventory', { InventoryData: [{ ...night(ahead), Availability: 3 }] }),
  '/rooms/v1/push-restrictions': (ahead) =>
    message('SetRoomRestrictions', { RoomRestrictionData: [{ ...night(ahead), MinLOS: 2 }] }),
  '/rates/v1/push': (ahead) =>
    message('SetRates', {
      RateData: [{ ...night(ahead), RateTypeCode: 'BAR', RateValue: 150 }],
    }),
  '/rates/v1/push-restrictions': (ahead) =>
    message('SetRateRestrictions', {
      RateRestrictionData: [{ ...night(ahead), RateTypeCode: 'BAR', MinLOS: 2 }],
    }),
  '/pms/v1/message': () => message('Ping', { EchoData: 'example' }),
  '/gateway/v1/stripe': () => ({ id: 'evt_1', object: 'event' }),
  '/webhook/v1/put': () => ({ url: 'https://engine.hotel.com/events', types: ['payment.*'] }),
  '/webhook/v1/list': () => ({}),
  '/webhook/v1/delete': ofEndpoint,
  '/webhook/v1/rotate-secret': ofEndpoint,
  '/webhook/v1/test': ofEndpoint,
  '/webhook/v1/deliveries': () => ({ ...ofEndpoint(), status: 'Pending', limit: 100 }),
  '/webhook/v1/replay': ({ hours }) => ({ ...ofEndpoint(), from: hours(-24) }),
  '/event/v1/list': () => ({ types: ['payment.*'], limit: 100 }),
  '/admin/v1/property/put': () => ({
    ...ofProperty(),
    name: 'Example Hotel',
    site: 'example-hotel.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    contact: { email: 'desk@example-hotel.com', phone: '+61 8 5550 1234' },
    guestMails: { receipts: true },
  }),
  '/admin/v1/fee-rules/put': () => ({
    ...ofProperty(),
    rules: [{ brands: ['amex'], basisPoints: 290, method: 'add', maximum: 25 }],
  }),
  '/admin/v1/fee-rules/get': ofProperty,
  '/admin/v1/client/create': () => ({ ...ofProperty(), scopes: ['bookings', 'payments'] }),
  '/admin/v1/client/put': () => ({ clientId: 'example-client', name: 'Reports' }),
  '/admin/v1/client/list': () => ({ limit: 100 }),
  '/admin/v1/keyring/list': () => ({}),
  '/admin/v1/property/get': ofProperty,
  '/admin/v1/property/list': () => ({ limit: 100 }),
  '/admin/v1/client/revoke': () => ({ clientId: 'example-client' }),
  '/admin/v1/user/put': () => ({
    ...ofProperty(),
    email: 'desk@example.com',
    name: 'Kim Lee',
    role: 'cashier',
  }),
  '/admin/v1/user/end-sessions': () => ({ email: 'desk@example.com' }),
  '/admin/v1/user/list': () => ({}),
  '/admin/v1/export-user/create': () => ({ username: 'example-analyst' }),
  '/admin/v1/export-user/list': () => ({ limit: 100 }),
  '/admin/v1/export-user/revoke': () => ({ username: 'example-analyst' }),
  '/admin/v1/export/run': () => ({ portfolio: 'example', variant: 'propertySystem' }),
  '/admin/v1/export/list': () => ({ variant: 'propertySystem' }),
  '/admin/v1/audit/list': () => ({ ...ofProperty(), reference: REFERENCE }),
  '/admin/v1/mail/list': () => ({ ...ofProperty(), status: 'Dead' }),
  '/admin/v1/mail/lift-suppression': () => ({ email: 'guest@hotel.com' }),
  '/admin/v1/webhook/list': ofProperty,
  '/admin/v1/operation/resolve': () => ({
    id: CHARGE,
    outcome: 'Failed',
    reason: 'The acquirer confirmed by telephone that nothing was taken',
  }),
  '/admin/v1/outbox/list': () => ({ ...ofProperty(), status: 'Pending' }),
  '/admin/v1/outbox/replay': () => ({ ...ofProperty(), status: 'Dead' }),
  '/admin/v1/outbox/dismiss': () => ({ messageId: MESSAGE }),
  '/admin/v1/pms/ping': ofProperty,
  '/admin/v1/pms/get-rooms-rates': ofProperty,
  '/admin/v1/reconciliation/list': () => ({ ...ofProperty(), status: 'open' }),
  '/admin/v1/reconciliation/run': ({ hours }) => ({
    ...ofProperty(),
    from: hours(-48),
    to: hours(-24),
  }),
  '/admin/v1/reconciliation/accept': () => ({
    exceptionId: MESSAGE,
    reason: 'Settled with the guest',
  }),
  '/sandbox/v1/clock/advance': ({ hours }) => ({ ...ofProperty(), to: hours(7 * 24) }),
  '/sandbox/v1/clock/get': ofProperty,
  '/sandbox/v1/clock/reset': ofProperty,
  '/sandbox/v1/ledger': ofBooking,
  '/sandbox/v1/vault': () => ({
    cardNumber: '4242424242424242',
    cardExpiry: `12/${new Date().getUTCFullYear() + 3}`,
  }),
  '/sandbox/v1/act': () => ({
    action: 'dispute',
    ...ofProperty(),
    reference: REFERENCE,
    chargeId: CHARGE,
  }),
};

/** The example of an operation's request, with times ahead of `nowMs`; undefined without one. */
export function exampleRequest(path: string, nowMs: number): object | undefined {
  return requests[path]?.({
    hours: (count) => new Date(nowMs + count * HOUR_MS).toISOString(),
    day: (count) => new Date(nowMs + count * DAY_MS).toISOString().slice(0, 10),
  });
}
