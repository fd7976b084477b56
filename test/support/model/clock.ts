import { bookingClock } from '../../../src/booking/clock.ts';
import { BookingObject } from '../../../src/booking/object.ts';

/** The times of the bookings that have a clock of their own, by their names. */
const clocks = new Map<string, number>();

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
