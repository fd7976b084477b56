import type { KeyringKeyRow } from '../../schema/accessTables.ts';

/** The id of the key that a text is sealed with. */
export function keyOf(sealed: string): string {
  return sealed.slice(0, sealed.indexOf('.'));
}

/**
 * The rows of keys that are to be noted: those that are not as they were. `keyIds` are the keyring's, the first one
 * first; `stranded` counts, by key, what nobody can decrypt. A key that was never seen as the first one counts as replaced
 * now.
 */
export function keysToNote(
  noted: readonly KeyringKeyRow[],
  keyIds: readonly string[],
  stranded: ReadonlyMap<string, number>,
  nowMs: number,
): KeyringKeyRow[] {
  const before = new Map(noted.map((row) => [row.id, row]));
  const all = new Set([...keyIds, ...before.keys(), ...stranded.keys()]);
  return [...all].flatMap((id) => {
    const known = before.get(id);
    const replacedAtMs = id === keyIds[0] ? null : (known?.replacedAtMs ?? nowMs);
    const row = { id, replacedAtMs, stranded: stranded.get(id) ?? 0 };
    const isSame = known?.replacedAtMs === row.replacedAtMs && known.stranded === row.stranded;
    return isSame ? [] : [row];
  });
}
