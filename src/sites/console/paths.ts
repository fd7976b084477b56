/** The path of the console. */
export const CONSOLE_PATH = '/console';

/** The address of a page of the console. Ids stand in queries, because paths count without regard to case. */
export function pathOf(page: string, query: Readonly<Record<string, string>>): string {
  return `${CONSOLE_PATH}/${page}?${new URLSearchParams(query).toString()}`;
}

/** The address of a property's page. */
export function propertyPath(property: string): string {
  return pathOf('property', { property });
}

/** The address of a booking's page. */
export function bookingPath(property: string, reference: string): string {
  return pathOf('booking', { property, reference });
}

/** The address of a property's report; `fields` are its days and currency. */
export function reportPath(
  property: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  return pathOf('report', { property, ...fields });
}

/** The address of the list of a property's payouts; `after` is the cursor of a page of it. */
export function disbursementsPath(property: string, after: string | null = null): string {
  return pathOf('disbursements', { property, ...(after !== null && { after }) });
}

/** The address of a payout; its items have pages from 1 on. */
export function disbursementPath(property: string, id: string, page = 1): string {
  return pathOf('disbursement', { property, id, ...(page > 1 && { page: String(page) }) });
}

/** The address of the question what a bank line is. */
export function bankLinePath(
  property: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  return pathOf('bank-line', { property, ...fields });
}
