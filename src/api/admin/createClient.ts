import type { Answered } from '../../operation/idempotency.ts';
import { refusal } from '../../operation/reply.ts';
import { type SecretWork, saveSecret } from '../../operation/secretAnswers.ts';
import { appendChange } from '../../records/audit/changes.ts';
import type { Scope } from '../../records/clients/rules/scopes.ts';
import { digestSecret, newSecret } from '../../records/clients/secrets.ts';
import { insertClient } from '../../records/clients/store.ts';
import { readProperty } from '../../records/properties/read.ts';

interface NewClient {
  readonly property: string;
  readonly scopes: readonly Scope[];
  readonly name?: string | null | undefined;
}

/** Creates a client of a property. The answer holds its secret; {@link saveSecret} says who can get it again. */
export async function createClient(
  work: SecretWork,
  { name = null, property: propertyId, scopes }: NewClient,
): Promise<Answered<{ clientId: string; clientSecret: string }>> {
  const { database, nowMs } = work;
  const { queries } = database;
  const property = await readProperty(database, propertyId);
  if (!property.ok) return refusal(work, property.error);
  const clientId = crypto.randomUUID();
  const clientSecret = newSecret();
  const row = {
    id: clientId,
    name,
    propertyId,
    scopes: [...new Set(scopes)],
    secretDigest: await digestSecret(clientSecret),
    seeded: false,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
  };
  return saveSecret(work, {
    span: 'd1.client.save',
    save: [
      insertClient(queries, row),
      ...appendChange(queries, work, {
        places: [propertyId],
        subject: `client ${clientId}`,
        before: null,
        after: { name, scopes: row.scopes },
      }),
    ],
    answer: { clientId, clientSecret },
  });
}
