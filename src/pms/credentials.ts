import type { Keyring } from '../crypto/keyring.ts';
import { unseal } from '../crypto/seal.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import type { PmsCredentials } from './envelope.ts';

/** What a property's PMS knows this service by; null when it is not set, or its key is no longer kept. */
export async function pmsCredentials(
  keyring: Keyring,
  property: Pick<PropertyRow, 'id' | 'pmsUsername' | 'pmsPasswordSealed'>,
): Promise<PmsCredentials | null> {
  const { id, pmsUsername: username, pmsPasswordSealed: sealed } = property;
  if (username === null || sealed === null) return null;
  const password = await unseal(keyring, 'pms-credentials', id, sealed);
  return password === null ? null : { username, password };
}
