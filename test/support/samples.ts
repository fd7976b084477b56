/**
 * One valid request for every operation behind an access token. The access tests walk the OpenAPI document
 * and fail for an operation that has no sample here, so that none is forgotten.
 */

/** What another property's client gets when it names what is not its own. */
type Foreign =
  /** 404, exactly as if it did not exist. */
  | 'not-found'
  /** The request makes or changes the caller's own thing; the other property's stays as it is. */
  | 'separate'
  /** 422 that names the code, which the caller's own property does not have. */
  | 'unknown-code'
  /** Administrators belong to no property. */
  | 'no-property';

/** What samples refer to: a booking with one charge on a card, and an application. */
export interface Existing {
  /** A pre-authorization. */
  readonly holdId: number;
  /** A scheduled charge. */
  readonly scheduleId: number;
  readonly property: string;
  readonly reference: string;
  readonly chargeId: number;
  readonly cardToken: string;
  readonly applicationNumber: string;
  readonly disbursementId: string;
  readonly endpointId: string;
}

export interface Sample {
  readonly body: (existing: Existing) => Record<string, unknown>;
  readonly foreign: Foreign;
}

/** A night of a room type of `giveRooms`. */
const night = { RoomTypeCode: 'DLX', StartDate: '2027-02-14', EndDate: '2027-02-14' };

/** A message of a PMS. */
function messageOf(MessageType: string, members: Record<string, unknown> = {}) {
  return { MessageType, MessageID: 'sample', ...members };
}

export const samples: Readonly<Record<string, Sample>> = {
  '/disbursement/v1/get-details': {
    body: ({ disbursementId }) => ({ disbursementId }),
    foreign: 'not-found',
  },
  '/disbursement/v1/get-all': { body: () => ({}), foreign: 'separate' },
  '/booking/v1/create/manage-payments': {
    body: ({ reference }) => ({
      reference,
      arrival: '14-02-2027',
      departure: '17-02-2027',
      status: 'booked',
      email: 'other@hotel.com',
      lastName: 'Other',
      totalCost: 1,
      firstNightCost: 1,
    }),
    foreign: 'separate',
  },
  '/booking/v1/list': { body: () => ({ email: 'guest@hotel.com' }), foreign: 'separate' },
  '/payment/v1/list': { body: () => ({ type: 'PaymentManual' }), foreign: 'separate' },
  '/application/v1/list': { body: () => ({ status: 'Tentative' }), foreign: 'separate' },
  '/booking/v1/get-details': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/booking/v1/get-url': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/payment/v1/request-card-details': {
    body: ({ reference }) => ({ reference }),
    foreign: 'not-found',
  },
  '/payment/v1/tokenize': {
    body: ({ reference }) => ({
      reference,
      cardNumber: '4111111111111111',
      cardExpiry: '12/2030',
    }),
    foreign: 'not-found',
  },
  '/payment/v1/create': {
    body: ({ reference }) => ({ reference, amount: 10 }),
    foreign: 'not-found',
  },
  '/payment/v1/transaction': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/payment/v1/get-transaction': {
    body: ({ reference, chargeId }) => ({ reference, chargeId }),
    foreign: 'not-found',
  },
  '/payment/v1/schedule': {
    body: ({ reference }) => ({ reference, amount: 10, time: tomorrow() }),
    foreign: 'not-found',
  },
  '/payment/v1/charge-pre-auth': {
    body: ({ reference, holdId }) => ({ reference, chargeId: holdId }),
    foreign: 'not-found',
  },
  '/payment/v1/cancel-pre-auth': {
    body: ({ reference, holdId }) => ({ reference, chargeId: holdId }),
    foreign: 'not-found',
  },
  '/payment/v1/cancel-schedule': {
    body: ({ reference, scheduleId }) => ({ reference, chargeId: scheduleId }),
    foreign: 'not-found',
  },
  '/payment/v1/cancel-schedules': {
    body: ({ reference }) => ({ reference }),
    foreign: 'not-found',
  },
  '/refund/v1/create': {
    body: ({ reference, chargeId }) => ({ reference, amount: 1, chargeId }),
    foreign: 'not-found',
  },
  '/payment/v1/quote': {
    body: ({ reference }) => ({ reference, amount: 10 }),
    foreign: 'not-found',
  },
  '/payment/v1/balance': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/card/v1/health': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/dispute/v1/list': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/ping/v1': { body: () => messageOf('Ping', { EchoData: 'sample' }), foreign: 'separate' },
  '/property-info/v1/get': { body: () => messageOf('GetPropertyInfo'), foreign: 'separate' },
  '/rooms/v1/get-inventory': {
    body: () =>
      messageOf('GetInventory', {
        pmsRoomTypeCode: 'DLX',
        checkIn: '2027-02-14',
        checkOut: '2027-02-17',
        adults: 2,
      }),
    foreign: 'unknown-code',
  },
  '/rooms/v1/push': {
    body: () => messageOf('SetInventory', { InventoryData: [{ ...night, Availability: 3 }] }),
    foreign: 'unknown-code',
  },
  '/rooms/v1/push-restrictions': {
    body: () =>
      messageOf('SetRoomRestrictions', { RoomRestrictionData: [{ ...night, MinLOS: 2 }] }),
    foreign: 'unknown-code',
  },
  '/rates/v1/push': {
    body: () =>
      messageOf('SetRates', { RateData: [{ ...night, RateTypeCode: 'BAR', RateValue: 150 }] }),
    foreign: 'unknown-code',
  },
  '/rates/v1/push-restrictions': {
    body: () =>
      messageOf('SetRateRestrictions', {
        RateRestrictionData: [{ ...night, RateTypeCode: 'BAR', MinLOS: 2 }],
      }),
    foreign: 'unknown-code',
  },
  '/pms/v1/message': {
    body: () => messageOf('SetInventory', { InventoryData: [{ ...night, Availability: 3 }] }),
    foreign: 'unknown-code',
  },
  '/application/v1/create': {
    body: ({ reference }) => ({
      reference,
      email: 'guest@hotel.com',
      arrival: '2027-02-14',
      departure: '2027-02-17',
    }),
    foreign: 'not-found',
  },
  '/application/v1/update': {
    body: ({ applicationNumber }) => ({ applicationNumber, city: 'Perth' }),
    foreign: 'not-found',
  },
  '/application/v1/get-details': {
    body: ({ applicationNumber }) => ({ applicationNumber }),
    foreign: 'not-found',
  },
  '/application/v1/update-status': {
    body: ({ applicationNumber }) => ({ applicationNumber, status: 'Offered' }),
    foreign: 'not-found',
  },
  '/webhook/v1/put': {
    body: ({ endpointId }) => ({ endpointId, types: ['payment.*'], active: false }),
    foreign: 'not-found',
  },
  '/webhook/v1/list': { body: () => ({}), foreign: 'separate' },
  '/webhook/v1/delete': { body: ({ endpointId }) => ({ endpointId }), foreign: 'not-found' },
  '/webhook/v1/rotate-secret': {
    body: ({ endpointId }) => ({ endpointId }),
    foreign: 'not-found',
  },
  '/webhook/v1/test': { body: ({ endpointId }) => ({ endpointId }), foreign: 'not-found' },
  '/webhook/v1/deliveries': { body: ({ endpointId }) => ({ endpointId }), foreign: 'not-found' },
  '/webhook/v1/replay': {
    body: ({ endpointId }) => ({ endpointId, from: '2027-02-10T00:00:00+08:00' }),
    foreign: 'not-found',
  },
  '/event/v1/list': { body: ({ reference }) => ({ reference }), foreign: 'not-found' },
  '/admin/v1/export/run': {
    body: () => ({ variant: 'propertySystem' }),
    foreign: 'no-property',
  },
  '/admin/v1/export/list': {
    body: () => ({ variant: 'propertySystem' }),
    foreign: 'no-property',
  },
  '/admin/v1/user/put': {
    body: ({ property }) => ({
      email: 'kim@hotel.com',
      name: 'Kim Lee',
      role: 'cashier',
      property,
      active: true,
    }),
    foreign: 'no-property',
  },
  '/admin/v1/user/end-sessions': {
    body: () => ({ email: 'kim@hotel.com' }),
    foreign: 'no-property',
  },
  '/admin/v1/user/list': { body: () => ({ limit: 10 }), foreign: 'no-property' },
  '/admin/v1/export-user/create': {
    body: () => ({ username: 'warehouse' }),
    foreign: 'no-property',
  },
  '/admin/v1/audit/list': {
    body: ({ property, reference }) => ({ property, reference }),
    foreign: 'no-property',
  },
  '/admin/v1/operation/resolve': {
    body: ({ chargeId }) => ({ id: chargeId, outcome: 'Failed', reason: 'sample' }),
    foreign: 'no-property',
  },
  '/admin/v1/outbox/list': {
    body: ({ property, reference }) => ({ property, reference, status: 'Pending' }),
    foreign: 'no-property',
  },
  '/admin/v1/outbox/replay': {
    body: ({ property }) => ({ property, status: 'Dead' }),
    foreign: 'no-property',
  },
  '/admin/v1/outbox/dismiss': {
    body: () => ({ messageId: '01998f00-0000-7000-8000-000000000000' }),
    foreign: 'no-property',
  },
  '/admin/v1/pms/ping': { body: ({ property }) => ({ property }), foreign: 'no-property' },
  '/admin/v1/pms/get-rooms-rates': {
    body: ({ property }) => ({ property }),
    foreign: 'no-property',
  },
  '/admin/v1/reconciliation/list': {
    body: ({ property }) => ({ property, status: 'open' }),
    foreign: 'no-property',
  },
  '/admin/v1/reconciliation/run': {
    body: ({ property }) => ({
      property,
      from: '2027-02-10T00:00:00+08:00',
      to: '2027-02-11T00:00:00+08:00',
    }),
    foreign: 'no-property',
  },
  '/admin/v1/reconciliation/accept': {
    body: () => ({ exceptionId: '01998f00-0000-7000-8000-000000000000', reason: 'sample' }),
    foreign: 'no-property',
  },
  '/admin/v1/property/put': {
    body: () => ({
      property: 'sample',
      name: 'Sample',
      site: 'sample.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
    }),
    foreign: 'no-property',
  },
  '/admin/v1/fee-rules/put': {
    body: ({ property }) => ({ property, rules: [{ basisPoints: 100, method: 'add' }] }),
    foreign: 'no-property',
  },
  '/admin/v1/fee-rules/get': { body: ({ property }) => ({ property }), foreign: 'no-property' },
  '/admin/v1/client/create': {
    body: ({ property }) => ({ property, scopes: ['bookings'] }),
    foreign: 'no-property',
  },
  '/admin/v1/mail/list': { body: ({ property }) => ({ property }), foreign: 'no-property' },
  '/admin/v1/mail/lift-suppression': {
    body: () => ({ email: 'nobody@hotel.com' }),
    foreign: 'no-property',
  },
  '/admin/v1/webhook/list': { body: ({ property }) => ({ property }), foreign: 'no-property' },
  '/admin/v1/client/put': {
    body: () => ({ clientId: 'demo-engine', name: 'Engine' }),
    foreign: 'no-property',
  },
  '/admin/v1/client/list': { body: ({ property }) => ({ property }), foreign: 'no-property' },
  '/admin/v1/keyring/list': { body: () => ({}), foreign: 'no-property' },
  '/admin/v1/property/get': { body: ({ property }) => ({ property }), foreign: 'no-property' },
  '/admin/v1/property/list': { body: () => ({ portfolio: 'default' }), foreign: 'no-property' },
  '/admin/v1/export-user/list': { body: () => ({ portfolio: 'default' }), foreign: 'no-property' },
  '/admin/v1/export-user/revoke': {
    body: () => ({ username: 'warehouse' }),
    foreign: 'no-property',
  },
  '/admin/v1/client/revoke': {
    body: () => ({ clientId: 'somebody' }),
    foreign: 'no-property',
  },
  '/sandbox/v1/clock/advance': {
    body: () => ({ property: 'sample', to: tomorrow() }),
    foreign: 'no-property',
  },
  '/sandbox/v1/clock/get': { body: () => ({ property: 'sample' }), foreign: 'no-property' },
  '/sandbox/v1/clock/reset': { body: () => ({ property: 'sample' }), foreign: 'no-property' },
  '/sandbox/v1/ledger': { body: ({ reference }) => ({ reference }), foreign: 'no-property' },
  '/sandbox/v1/vault': {
    body: () => ({ cardNumber: '4111111111111111', cardExpiry: '12/2030' }),
    foreign: 'no-property',
  },
  '/sandbox/v1/act': {
    body: ({ property, reference, chargeId }) => ({
      action: 'dispute',
      property,
      reference,
      chargeId,
      amount: 1,
    }),
    foreign: 'no-property',
  },
};

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString();
}
