export const CONSOLE_PATH = '/console';

/** The page about one's own sessions and passkeys. */
export const ACCOUNT_PATH = `${CONSOLE_PATH}/me`;

/** Where the form to sign in with a passkey goes. */
export const PASSKEY_PATH = `${CONSOLE_PATH}/passkey`;

/** Where the forms to choose a language go. */
export const LANGUAGE_PATH = `${CONSOLE_PATH}/language`;

export const OPS_PATH = '/ops';

/** The address of a list of a property, or of all properties. */
export function listPath(
  shown: { readonly id: string } | null,
  page: string,
  query: Readonly<Record<string, string>> = {},
): string {
  if (shown) return pathOf(page, { property: shown.id, ...query });
  const text = new URLSearchParams(query).toString();
  return `${OPS_PATH}/${page}${text === '' ? '' : `?${text}`}`;
}

/** The address of a page of the console. Ids stand in queries, because paths count without regard to case. */
export function pathOf(page: string, query: Readonly<Record<string, string>>): string {
  return `${CONSOLE_PATH}/${page}?${new URLSearchParams(query).toString()}`;
}

export function bookingPath(property: string, reference: string): string {
  return pathOf('booking', { property, reference });
}

export function disputePath(property: string, dispute: string): string {
  return pathOf('dispute', { property, dispute });
}

export function disbursementPath(property: string, id: string): string {
  return pathOf('disbursement', { property, id });
}

/** The address of the report of some days. */
export function reportPath(
  property: string,
  { from, to }: { readonly from: string; readonly to: string },
  query: Readonly<Record<string, string>> = {},
): string {
  return pathOf('report', { property, from, to, ...query });
}
