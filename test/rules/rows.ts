import type { BookingRow, CardRow, PropertyRow } from '../../src/db/schema.ts';

/** A property as a row, with what a test is about. */
export function propertyRow(changes: Partial<PropertyRow> = {}): PropertyRow {
  return {
    id: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    portfolio: 'default',
    cardFeeBasisPoints: 0,
    cardFeeByBrand: {},
    transactionFeeMinor: 0,
    keepSchedulesOnCancellation: false,
    stripeAccount: null,
    pmsUrl: null,
    pmsUsername: null,
    pmsPasswordSealed: null,
    pmsTransactionFormat: 'JSON',
    pmsNamespace: null,
    version: 1,
    createdAtMs: 0,
    ...changes,
  };
}

/** A booking as a row, with what a test is about. */
export function bookedRow(changes: Partial<BookingRow> = {}): BookingRow {
  return {
    propertyId: 'demo',
    reference: 'RES-1',
    status: 'booked',
    arrival: '2027-02-14',
    departure: '2027-02-17',
    lastName: 'Nguyen',
    email: 'guest@hotel.com',
    currency: 'AUD',
    totalCostMinor: 98_050,
    firstNightCostMinor: 20_000,
    firstName: null,
    phone: null,
    source: null,
    pmsConfirmationNumber: null,
    roomStays: null,
    cardToken: null,
    linkVersion: 1,
    version: 1,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    ...changes,
  };
}

/** A card as a row: a Visa good through 11/2026. */
export function cardRow(token: string, changes: Partial<CardRow> = {}): CardRow {
  return {
    token,
    propertyId: 'demo',
    bookingReference: 'RES-1',
    gateway: 'sandbox',
    gatewayToken: `vault_${token}`,
    brand: 'visa',
    last4: '1111',
    masked: 'XXXX-XXXX-XXXX-X111',
    holderName: 'A Nguyen',
    expiryMonth: 11,
    expiryYear: 2026,
    enteredBy: 'api',
    createdAtMs: 0,
    ...changes,
  };
}
