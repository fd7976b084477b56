import { DAY_MS } from '../../core/time.ts';
import type { CardRecovery } from '../../platform/db/propertyTables.ts';

/** How many days ahead an expiring card is told of, where the property does not say when to ask its guests. */
export const USUAL_FORESIGHT_DAYS = 14;

/** How long before a scheduled charge its card's expiry is told of, and its guest asked; in milliseconds. */
export function foresightMs(settings: CardRecovery | null): number {
  return (settings?.askDaysBefore ?? USUAL_FORESIGHT_DAYS) * DAY_MS;
}
