/** The path of the console. */
export const CONSOLE_PATH = '/console';

/** The address of a property's page. Ids stand in queries, because paths count without regard to case. */
export function propertyPath(property: string): string {
  return `${CONSOLE_PATH}/property?${new URLSearchParams({ property }).toString()}`;
}

/** The address of a booking's page. */
export function bookingPath(property: string, reference: string): string {
  return `${CONSOLE_PATH}/booking?${new URLSearchParams({ property, reference }).toString()}`;
}

/** The address of a property's report; `fields` are its days and currency. */
export function reportPath(
  property: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  return `${CONSOLE_PATH}/report?${new URLSearchParams({ property, ...fields }).toString()}`;
}
