import type { Branding, Contact, GuestMails } from '../../platform/db/propertyTables.ts';

/** A change of settings that are kept as one object: what is left out keeps its value, null takes a value away. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] | null | undefined } | null | undefined;

/** Settings after a change; null if none is left. */
export function changed<T extends object>(before: T | null, changes: Changes<T>): T | null {
  if (changes === undefined) return before;
  if (changes === null) return null;
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(named) };
  const kept = Object.entries(all).filter(([, value]) => value !== null);
  return kept.length === 0 ? null : (Object.fromEntries(kept) as T);
}

/** How guests reach a property, every member named (interface: Put a property). */
export function contactView(contact: Contact | null) {
  return {
    email: contact?.email ?? null,
    phone: contact?.phone ?? null,
    address: contact?.address ?? null,
    website: contact?.website ?? null,
    termsUrl: contact?.termsUrl ?? null,
    taxId: contact?.taxId ?? null,
  };
}

/** Which mails guests get, every member named; null for what the property did not say (interface: Mails). */
export function guestMailsView(mails: GuestMails | null) {
  return {
    receipts: mails?.receipts ?? null,
    refunds: mails?.refunds ?? null,
    failedPayments: mails?.failedPayments ?? null,
    languages: mails?.languages ? [...mails.languages] : null,
  };
}

/** How a property looks to guests, every member named. */
export function brandingView(branding: Branding | null) {
  return { logoUrl: branding?.logoUrl ?? null, colour: branding?.colour ?? null };
}
