import { pick } from '../core/pick.ts';
import { notifyEndpointsOf } from '../events/delivery/stub.ts';
import { publicBaseUrl } from '../http/baseUrl.ts';
import type { AppContext, CallerProperty } from '../http/context.ts';
import { flag } from '../http/fields.ts';
import type { PropertyRequest } from '../http/operation.ts';
import type { OperationRequest } from '../http/readRequest.ts';
import { findEvidence } from '../money/disputes/evidence/find.ts';
import type { KeyWork } from '../operation/idempotency.ts';
import type { SecretWork } from '../operation/secretAnswers.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import type { ArchiveWork } from '../records/archive/read.ts';
import type { ChangedBy } from '../records/audit/changes.ts';

/** Notifies a property's endpoints in the background, if the request may have recorded something. */
export function notifyEndpoints(c: AppContext, propertyId: string): void {
  if (!c.get('trace').mayBeRecorded) return;
  c.executionCtx.waitUntil(notifyEndpointsOf(c.env, propertyId));
}

/** Who changes people or settings by a request, for the audit trail. */
export function changedBy(c: AppContext): ChangedBy {
  return { clientId: c.get('caller').clientId, nowMs: Date.now() };
}

/** Who acts on messages and exceptions by a request, for the audit trail. */
export function operatorOf(c: AppContext) {
  return { clientId: c.get('caller').clientId, requestId: c.get('requestId') };
}

/** The context of an operation that makes a secret. */
export function secretWork({ c, callerKey: caller }: OperationRequest<object>): SecretWork {
  const { database, config } = c.var;
  const propertyId = c.get('caller').property?.id ?? null;
  const work = { database, propertyId, keyring: config.keyring, nowMs: Date.now() };
  return { ...work, ...operatorOf(c), caller };
}

/** What an idempotency key of an operation on a property needs. */
export function keyWork({ c, property }: Pick<PropertyRequest<object>, 'c' | 'property'>): KeyWork {
  return {
    propertyId: property.id,
    ...pick(c.var, 'requestId', 'database', 'trace'),
    keyring: c.get('config').keyring,
    now: () => propertyNow(property),
  };
}

/** What a list takes to show archived bookings alone (interface: Archived bookings). */
export const archived = flag('`true`: archived ones alone; otherwise those that are not archived');

/** All that is known about a disputed charge of a property. */
export function readEvidence(c: AppContext, { id }: CallerProperty, disputeId: string) {
  return findEvidence(archiveWork(c), id, disputeId, publicBaseUrl(c));
}

export function archiveWork(c: AppContext): ArchiveWork {
  const { database, trace } = c.var;
  return { database, bucket: c.env.EXPORTS, trace };
}
