/** Every list of what a property gathers, with the filters that it takes. */
import { DAY_MS } from '../../src/core/time.ts';

/** A list, and what its pages are asked for. */
interface FilteredList {
  readonly path: string;
  readonly filters: readonly object[];
}

/** What many of the property's bookings have in common, one of them, and one that the service made. */
interface Common {
  readonly lastName: string;
  readonly email: string;
  readonly reference: string;
  readonly made: string;
}

const ofStatus = (...statuses: readonly string[]) => statuses.map((status) => ({ status }));

/** The lists with their filters. Deliveries are those of an endpoint, which the caller adds. */
export function filteredLists(nowMs: number, common: Common): readonly FilteredList[] {
  const ago = (ms: number) => new Date(nowMs - ms).toISOString();
  const { email, lastName, made, reference } = common;
  return [
    {
      path: '/booking/v1/list',
      filters: [
        {},
        ...ofStatus('booked', 'cancelled'),
        { arrivalFrom: '2027-01-01' },
        { arrivalTo: '2026-12-31' },
        { arrivalTo: '2027-12-31', status: 'booked' },
        { changedSince: ago(DAY_MS) },
        { changedSince: ago(-DAY_MS) },
        { email },
        { email: 'nobody@hotel.com', arrivalFrom: '2020-01-01' },
        { lastName, email, changedSince: ago(DAY_MS), arrivalFrom: '2020-01-01' },
        { archived: true, status: 'cancelled' },
        { archived: true, arrivalFrom: '2090-01-01' },
        { archived: true, arrivalTo: '1990-01-01' },
        { archived: true, changedSince: ago(-DAY_MS) },
        { archived: true, lastName: 'Nobody' },
        { archived: true, email: 'nobody@hotel.com' },
      ],
    },
    {
      path: '/payment/v1/list',
      filters: [
        {},
        ...ofStatus('Pending', 'Processing', 'Accepted', 'Declined', 'Failed'),
        ...ofStatus('Authorized', 'Cancelled', 'Released', 'Expired'),
        ...['PaymentDeposit', 'PaymentBond', 'PaymentManual'].map((type) => ({ type })),
        { type: 'PaymentBalance', status: 'Declined' },
        { from: ago(DAY_MS), to: ago(DAY_MS / 2) },
        { changedSince: ago(DAY_MS) },
        { changedSince: ago(360 * DAY_MS) },
        { changedSince: ago(360 * DAY_MS), status: 'Failed' },
        { from: ago(360 * DAY_MS), type: 'PaymentBond' },
        { archived: true, status: 'Failed' },
        { archived: true, type: 'PaymentBond' },
        { archived: true, changedSince: ago(-DAY_MS) },
        { archived: true, from: ago(-DAY_MS) },
        { archived: true, from: ago(3600 * DAY_MS), type: 'PaymentBond' },
      ],
    },
    {
      path: '/event/v1/list',
      filters: [
        {},
        { types: ['payment.*'] },
        { types: ['booking.cancelled'] },
        { types: ['settlement.settled'] },
        { reference: made },
      ],
    },
    {
      path: '/webhook/v1/deliveries',
      filters: [{}, ...ofStatus('Pending', 'Confirmed', 'Dead', 'Dismissed')],
    },
    {
      path: '/dispute/v1/list',
      filters: [
        {},
        ...ofStatus('needs_response', 'under_review', 'won', 'lost'),
        { reference },
        { reference: made },
        { from: ago(DAY_MS), to: ago(DAY_MS / 2), status: 'won' },
        { from: ago(360 * DAY_MS), status: 'lost' },
      ],
    },
    {
      path: '/card/v1/virtual/list',
      filters: [
        {},
        { from: ago(DAY_MS), to: ago(DAY_MS / 2) },
        ...['ended', 'notActive', 'refundable', 'lapsing', 'chargeable', 'charged'].map(
          (state) => ({ state }),
        ),
      ],
    },
    {
      path: '/card/v1/health',
      filters: [{}, { from: ago(DAY_MS), to: ago(0) }, { reference: made }],
    },
    {
      path: '/disbursement/v1/get-all',
      filters: [
        {},
        ...ofStatus('not_paid_out', 'in_transit', 'paid_out', 'failed'),
        { from: ago(DAY_MS), to: ago(0), status: 'failed' },
        { from: ago(360 * DAY_MS), status: 'in_transit' },
      ],
    },
    {
      path: '/bank-statement/v1/list',
      filters: [
        {},
        ...ofStatus('matched', 'unmatched'),
        { from: '2020-01-01', to: '2030-01-01', status: 'unmatched' },
      ],
    },
    {
      path: '/application/v1/list',
      filters: [
        {},
        ...ofStatus('Tentative', 'Offered', 'Held', 'Reserved', 'In Room', 'History', 'Cancelled'),
        { arrivalFrom: '2027-01-01' },
        { arrivalTo: '2020-01-01' },
        { changedSince: ago(DAY_MS) },
        { email: 'nobody@hotel.com' },
      ],
    },
    {
      path: '/admin/v1/outbox/list',
      filters: [
        {},
        { reference },
        ...ofStatus('Pending', 'Confirmed', 'Dead', 'Dismissed'),
        { property: undefined },
        { property: undefined, status: 'Dismissed' },
        { property: undefined, status: 'Confirmed' },
      ],
    },
    {
      path: '/admin/v1/mail/list',
      filters: [{}, { reference }, ...ofStatus('Pending', 'Sent', 'Suppressed', 'Dropped', 'Dead')],
    },
    { path: '/admin/v1/audit/list', filters: [{}, { reference }] },
    {
      path: '/admin/v1/reconciliation/list',
      filters: [
        {},
        ...ofStatus('open', 'closed'),
        { property: undefined },
        { property: undefined, status: 'open' },
        { property: undefined, status: 'closed' },
      ],
    },
  ];
}
