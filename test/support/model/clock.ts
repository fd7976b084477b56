import { bookingClock } from '../../../src/booking/clock.ts';
import { BookingObject } from '../../../src/booking/object.ts';

/** The times of the bookings that have a clock of their own, by their names. */
const clocks = new Map<string, number>();

/** The property's zone is eight hours ahead of UTC, without summer time. */
export const ZONE = { name: 'Australia/Perth', aheadMs: 8 * 3_600_000 } as const;

/**
 * Gives bookings clocks of their own until the returned function takes them back. Real alarms know nothing of
 * those: should one ring, it does nothing, and a story rings itself. (No spies: they would remember every call.)
 */
export function giveClocks(): () => void {
  const { prototype } = BookingObject;
  const kept = { nowMs: bookingClock.nowMs, alarm: prototype.alarm };
  bookingClock.nowMs = ({ propertyId, reference }) =>
    clocks.get(nameOf(propertyId, reference)) ?? Date.now();
  prototype.alarm = () => Promise.resolve();
  return () => {
    bookingClock.nowMs = kept.nowMs;
    prototype.alarm = kept.alarm;
  };
}

/** Sets a booking's clock. */
export function setClock(propertyId: string, reference: string, atMs: number): void {
  clocks.set(nameOf(propertyId, reference), atMs);
}

function nameOf(propertyId: string, reference: string): string {
  return JSON.stringify([propertyId, reference]);
}

/** Forgets a booking's clock. */
export function dropClock(propertyId: string, reference: string): void {
  clocks.delete(nameOf(propertyId, reference));
}

const today = new Date();

/** When all stories begin: the 20th of the next month, so that a card of that month expires within them. */
export const START_MS = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 20);

/** The month of an instant in the property's zone, or one so many months later, and the instant that it ends. */
export function monthEnd(atMs: number, monthsLater: number) {
  const local = new Date(atMs + ZONE.aheadMs);
  const first = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + monthsLater));
  const year = first.getUTCFullYear();
  const month = first.getUTCMonth() + 1;
  return { expiry: { month, year }, expiresAtMs: Date.UTC(year, month) - ZONE.aheadMs };
}
