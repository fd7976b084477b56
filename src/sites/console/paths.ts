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
