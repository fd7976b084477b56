import type { Keyring } from '../platform/crypto/keyring.ts';
import { unseal } from '../platform/crypto/seal.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { PmsCredentials } from './rules/envelope.ts';

/** A property's PMS credentials; null if they are not set, or the key that encrypted them no longer exists. */
export async function pmsCredentials(
  keyring: Keyring,
  property: Pick<PropertyRow, 'id' | 'pmsUsername' | 'pmsPasswordSealed'>,
): Promise<PmsCredentials | null> {
  const { id, pmsUsername: username, pmsPasswordSealed: sealed } = property;
  if (username === null || sealed === null) return null;
  const password = await unseal(keyring, 'pms-credentials', id, sealed);
  return password === null ? null : { username, password };
}
