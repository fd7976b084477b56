import type { Database } from '../../platform/db/database.ts';
import type { KeyringKeyRow } from '../../schema/accessTables.ts';
import { keyOf } from './rules.ts';
import { SEALED_NAMES, type SealedName, selectKeys, selectOfEachKey } from './store.ts';

export interface SealedPart {
  readonly name: SealedName;
  readonly keyId: string;
}

/** Reads which keys are noted, and which have sealed something in which column. One round trip. */
export async function readSealed(
  database: Database,
): Promise<{ readonly noted: readonly KeyringKeyRow[]; readonly parts: readonly SealedPart[] }> {
  const { queries } = database;
  const [noted, ...found] = await database.batch('d1.keyring.read', [
    selectKeys(queries),
    ...SEALED_NAMES.map((name) => selectOfEachKey(queries, name)),
  ]);
  const parts = SEALED_NAMES.flatMap((name, index) =>
    (found[index] ?? []).map(({ sealed }) => ({ name, keyId: keyOf(sealed) })),
  );
  return { noted, parts };
}
