import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PmsCredentials } from '../../pms/rules/envelope.ts';
import { withPmsPassword } from '../../records/properties/pmsLogin.ts';
import { selectByPmsUser } from '../../records/properties/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/**
 * Finds the one property whose PMS has these credentials; null if there is none. Any number of properties may share the
 * user name. `knownId` is the property that had them last: then its row alone is read. One round trip, or a second one
 * when the credentials have moved.
 */
export async function propertyWithCredentials(
  database: Database,
  keyring: Keyring,
  { username, password }: PmsCredentials,
  knownId?: string,
): Promise<PropertyRow | null> {
  const [candidates] = await database.batch('d1.pms.find', [
    selectByPmsUser(database.queries, username, knownId),
  ]);
  const [property, ...others] = await withPmsPassword(keyring, candidates, password);
  if (property !== undefined && others.length === 0) return property;
  return knownId === undefined
    ? null
    : propertyWithCredentials(database, keyring, { username, password });
}
