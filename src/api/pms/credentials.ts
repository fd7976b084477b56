import { err, ok, type Result } from '../../core/result.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import { pmsCredentials } from '../../pms/credentials.ts';
import type { PmsCredentials } from '../../pms/envelope.ts';
import { digestSecret, secretMatches } from '../../records/clients/secrets.ts';
import { selectByPmsUser } from '../../records/properties/store.ts';

/** The most properties with the same PMS user name. The passwords distinguish them. */
const MOST_CANDIDATES = 20;

/** Why credentials identify no property: none has them, or several have. */
export type CredentialsError = 'unknown' | 'ambiguous';

/** Finds the one property whose PMS has these credentials. Compares passwords in constant time. One round trip. */
export async function propertyWithCredentials(
  database: Database,
  keyring: Keyring,
  { username, password }: PmsCredentials,
): Promise<Result<PropertyRow, CredentialsError>> {
  const [candidates] = await database.batch('d1.pms.find', [
    selectByPmsUser(database.queries, username, MOST_CANDIDATES + 1),
  ]);
  if (candidates.length > MOST_CANDIDATES) return err('ambiguous');
  // Compare a password even for an unknown user name, so that the answer takes as long.
  if (candidates.length === 0) await secretMatches(password, await digestSecret(username));
  const matching: PropertyRow[] = [];
  for (const candidate of candidates) {
    const own = await pmsCredentials(keyring, candidate);
    const matches = await secretMatches(password, await digestSecret(own?.password ?? ''));
    if (own !== null && matches) matching.push(candidate);
  }
  const [property, ...others] = matching;
  if (!property) return err('unknown');
  return others.length === 0 ? ok(property) : err('ambiguous');
}
