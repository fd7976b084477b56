import type { Answered } from '../../operation/idempotency.ts';
import { refusal } from '../../operation/reply.ts';
import { type SecretWork, saveSecret } from '../../operation/secretAnswers.ts';
import type { Scope } from '../../records/clients/scopes.ts';
import { digestSecret, newSecret } from '../../records/clients/secrets.ts';
import { insertClient } from '../../records/clients/store.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { selectProperty } from '../../records/properties/store.ts';

/** Creates a client of a property. The answer holds its secret; {@link saveSecret} says who can get it again. */
export async function createClient(
  work: SecretWork,
  propertyId: string,
  scopes: readonly Scope[],
): Promise<Answered<{ clientId: string; clientSecret: string }>> {
  const { database, nowMs } = work;
  const { queries } = database;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(queries, propertyId),
  ]);
  if (!property) {
    return refusal(work, propertyNotFound());
  }
  const clientId = crypto.randomUUID();
  const clientSecret = newSecret();
  const row = {
    id: clientId,
    propertyId,
    scopes: [...new Set(scopes)],
    secretDigest: await digestSecret(clientSecret),
    seeded: false,
    createdAtMs: nowMs,
    revokedAtMs: null,
  };
  return saveSecret(work, {
    span: 'd1.client.save',
    save: [insertClient(queries, row)],
    answer: { clientId, clientSecret },
  });
}
