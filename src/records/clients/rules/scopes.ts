/** The permissions of clients (interface: Scopes). One that ends in `:read` is part of the one that it is named after. */
export const scopes = [
  'bookings',
  'bookings:read',
  'payments',
  'payments:read',
  'cards',
  'cards:read',
  'inventory',
  'applications',
  'disbursements',
  'disbursements:read',
  'events',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

const READING = ':read';

export const propertyScopes = scopes.filter((scope) => scope !== 'admin');

/** The scopes that allow everything that a property's client may do. */
export const wholeScopes = propertyScopes.filter((scope) => !scope.endsWith(READING));

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** Whether somebody with the scopes `granted` may do what needs `scope`. */
export function allows(granted: readonly string[], scope: string): boolean {
  const whole = scope.endsWith(READING) ? scope.slice(0, -READING.length) : scope;
  return granted.includes(scope) || granted.includes(whole);
}

/** The scopes that each allow what needs `scope`. */
export function scopesThatAllow(scope: Scope): Scope[] {
  return scopes.filter((one) => allows([one], scope));
}
