import { digestSecret, secretMatches } from '../clients/secrets.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { Database } from '../db/database.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { pmsCredentials } from '../pms/credentials.ts';
import type { PmsCredentials } from '../pms/envelope.ts';
import { selectByPmsUser } from '../properties/store.ts';

/** How many properties whose PMS has the same user name are told apart by their passwords. */
const MOST_CANDIDATES = 20;

/** Why credentials name no property: there is none with them, or it cannot be told which. */
export type CredentialsFault = 'unknown' | 'ambiguous';

/** The one property whose PMS has these credentials; passwords are compared in constant time. One round trip. */
export async function propertyWithCredentials(
  database: Database,
  keyring: Keyring,
  { username, password }: PmsCredentials,
): Promise<Result<PropertyRow, CredentialsFault>> {
  const [candidates] = await database.batch('d1.pms.find', [
    selectByPmsUser(database.queries, username, MOST_CANDIDATES + 1),
  ]);
  if (candidates.length > MOST_CANDIDATES) return err('ambiguous');
  // Where there is nobody, a password is compared all the same, so that it takes as long.
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
