/** What a client may be allowed to do (decisions: section 2). */
export const scopes = [
  'bookings',
  'payments',
  'cards',
  'inventory',
  'applications',
  'disbursements',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

/** Every scope that a property's own client can have. */
export const propertyScopes = scopes.filter((scope) => scope !== 'admin');

/** Whether a text names a scope. */
export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
