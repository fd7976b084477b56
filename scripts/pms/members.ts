/** The members of a JSON object, or the elements inside an XML element. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A member that is a text; an empty one for anything else. */
export function textIn(members: Members | null, name: string): string {
  const value = members?.[name];
  return typeof value === 'string' ? value : '';
}
