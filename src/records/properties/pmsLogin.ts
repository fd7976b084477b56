import type { Keyring } from '../../platform/crypto/keyring.ts';
import { unseal } from '../../platform/crypto/seal.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { digestSecret, secretMatches } from '../clients/secrets.ts';

/** The password of a property's PMS; null if it is not set, or the key that encrypted it no longer exists. */
async function passwordOf(
  keyring: Keyring,
  { id, pmsPasswordSealed: sealed }: PropertyRow,
): Promise<string | null> {
  return sealed === null ? null : unseal(keyring, 'pms-credentials', id, sealed);
}

/**
 * The properties among `candidates` whose PMS has this password (pms: Authentication). Compares it with each, and once
 * where there is no candidate, in constant time.
 */
export async function withPmsPassword(
  keyring: Keyring,
  candidates: readonly PropertyRow[],
  password: string,
): Promise<PropertyRow[]> {
  const digest = await digestSecret(password);
  if (candidates.length === 0) await secretMatches(password, digest);
  const matches = await Promise.all(
    candidates.map(async (candidate) => {
      const own = await passwordOf(keyring, candidate);
      return own !== null && (await secretMatches(own, digest));
    }),
  );
  return candidates.filter((_, index) => matches[index]);
}
