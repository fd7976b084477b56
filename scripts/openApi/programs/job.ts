/** What both programs send. */
export const grant = {
  grant_type: 'client_credentials',
  client_id: 'demo-engine',
  client_secret: 'demo-secret',
} as const;

export const card = {
  cardNumber: '4242424242424242',
  cardExpiry: `12/${new Date().getUTCFullYear() + 3}`,
};

/** A booking that the service takes. */
export function booking(reference: string) {
  return {
    reference,
    arrival: '14-02-2027',
    departure: '17-02-2027',
    status: 'booked',
    email: 'guest@hotel.com',
    lastName: 'Nguyen',
    totalCost: 600,
    firstNightCost: 200,
  } as const;
}

/** Ends the program with an error when the values differ. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`expected ${expected}, got ${actual}`);
}
