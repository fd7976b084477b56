import { type PropertyClock, propertyTime } from '../core/propertyClock.ts';

/**
 * What a property's clock shows now (interface: Test clock), in milliseconds since 1970. Everything that a property
 * keeps, shows or judges goes by it. Access, limits, leases and measurements go by real time, `Date.now()`.
 */
export function propertyNow(property: Omit<PropertyClock, 'version'>): number {
  return propertyTime(property, Date.now());
}
