import type { CardRecovery } from '../../src/schema/propertyTables.ts';

/** How the properties of the tests ask for another card. */
export const SETTINGS: CardRecovery = {
  askDaysBefore: 14,
  deadlineHours: 24,
  shortDeadlineHours: 12,
  maxAsks: 3,
  // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is a text, no function.
  then: 'flag',
};

/** The same, asking as often as given, and doing this after the deadline. */
export function settings<After extends string>(maxAsks: number, after: After) {
  // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is a text, no function.
  return { ...SETTINGS, maxAsks, then: after };
}
