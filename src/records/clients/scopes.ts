/** The permissions of clients (interface: Scopes). */
export const scopes = [
  'bookings',
  'payments',
  'cards',
  'inventory',
  'applications',
  'disbursements',
  'events',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a property's client. */
export const propertyScopes = scopes.filter((scope) => scope !== 'admin');

/** Whether a text names a scope. */
export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
