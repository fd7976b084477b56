import { digestOf } from '../../core/digest.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import { visitorOf } from '../../http/visitor.ts';
import { WritesArchived } from '../../platform/db/database.ts';
import { logError } from '../../platform/log.ts';
import { insertOpening, type OpenedLink } from '../../records/guestActs/store.ts';

/**
 * Keeps that a guest's page was opened by its link, and from where. The page opens also where that fails: it is evidence
 * for a dispute, and nothing else depends on it.
 */
export async function keepOpening(c: AppContext, link: OpenedLink): Promise<void> {
  const nowMs = Date.now();
  const visitor = visitorOf(c);
  const hour = Math.floor(nowMs / HOUR_MS);
  const id = `opened-${link.linkId}-${hour}-${await digestOf(visitor.browser ?? '', 4)}`;
  try {
    const opened = insertOpening(link, { ...visitor, id, nowMs });
    await c.get('database').of(link.propertyId).batch('d1.guestAct.save', [opened]);
  } catch (error) {
    // A look at an archived booking leaves it where it is.
    if (error instanceof WritesArchived) return;
    logError('opening_not_kept', error, { requestId: c.get('requestId') });
  }
}
