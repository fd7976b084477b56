import type { ChangedBy } from '../records/audit/changes.ts';
import type { AppContext } from './context.ts';

/** Who changes people or settings by a request, for the audit trail. */
export function changedBy(c: AppContext): ChangedBy {
  return { clientId: c.get('caller').clientId, nowMs: Date.now() };
}
