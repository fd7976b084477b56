import { describe, expect, it } from 'vitest';
import { insertRequest } from '../../src/records/cardRequests/store.ts';
import { insertCardEntry } from '../../src/records/cards/entryLimit.ts';
import { planOf } from '../support/plans.ts';

describe('however many cards were tried and asked for, SQLite', () => {
  it('counts those of a link and of a booking by their indexes', async () => {
    const entry = {
      attempt: 'a',
      linkId: 'l',
      atMs: 1,
      propertyId: 'demo',
      bookingReference: 'RES-1',
    };
    const plan = await planOf(insertCardEntry(entry, { ofLink: 3, ofBooking: 6 }, 0));
    expect(plan).toContain('INDEX card_entries_by_link (link_id=? AND at_ms>?)');
    expect(plan).toContain(
      'INDEX card_entries_by_booking (property_id=? AND booking_reference=? AND at_ms>?)',
    );
    expect(plan).not.toContain('SCAN card_entries');
  });

  it('counts those of an address and of a booking by their indexes', async () => {
    const request = {
      id: 'r',
      propertyId: 'demo',
      bookingReference: 'RES-1',
      email: 'Guest@hotel.com',
      status: 'Open',
      expiresAtMs: 2,
      createdAtMs: 1,
    } as const;
    const plan = await planOf(insertRequest(request, 5, 0));
    expect(plan).toContain(
      'INDEX card_requests_by_email (property_id=? AND <expr>=? AND created_at_ms>?)',
    );
    expect(plan).toContain(
      'INDEX card_requests_by_booking (property_id=? AND booking_reference=?)',
    );
    expect(plan).not.toContain('SCAN card_requests');
  });
});
