import type { MoneyRequest } from '../../gateways/gateway.ts';
import type { BookingState } from '../../records/bookings/rules.ts';

/** By what people recognise a payment at the acquirer and on the cardholder's statement (interface: Charges). */
export function shownNames(
  { property, booking }: BookingState,
  description: string | null,
): Pick<MoneyRequest, 'description' | 'statementName'> {
  const parts = [property.name, booking.reference, description];
  return {
    description: parts.filter((part) => part !== null && part !== '').join(', '),
    statementName: property.name,
  };
}
