import {
  type PlainField,
  plainFields,
  valuesOf,
} from '../../src/records/applications/rules/fields.ts';
import type { ApplicationRow } from '../../src/schema/applicationTables.ts';

/** An application as a row, with what a test is about. */
export function applicationRow(changes: Partial<ApplicationRow> = {}): ApplicationRow {
  return {
    id: 1,
    propertyId: 'demo',
    customerId: 1,
    bookingType: 'Online',
    applicationNumber: 'APP-0000000001',
    bookingId: null,
    bookingReference: null,
    contactId: 1,
    email: 'guest@hotel.com',
    currentStatus: 'Tentative',
    applicationAtMs: 1_000,
    offeredAtMs: null,
    heldAtMs: null,
    reservedAtMs: null,
    inRoomAtMs: null,
    historyAtMs: null,
    cancelledAtMs: null,
    arrival: '2027-02-14',
    departure: '2027-02-17',
    currency: 'AUD',
    weeklyRateMinor: null,
    totalMinor: null,
    ...valuesOf<PlainField, Partial<ApplicationRow>>(plainFields, {}),
    agent: null,
    tenantApplications: [],
    version: 1,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    erasedAtMs: null,
    ...changes,
  };
}
