import { HOUR_MS } from '../../core/time.ts';
import type { Config } from '../../platform/config.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { logInfo, logWarning } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import { keysToNote } from './rules.ts';
import {
  countSealedWith,
  putKey,
  type Resealed,
  readSealed,
  SEALED,
  type SealedName,
  type SealedPart,
  selectSealedWith,
  updateSealed,
} from './store.ts';

/** How much of a column one run seals again; the next run continues. */
const MOST_PER_RUN = 100;

/** How long a keyring is at rest once everything is sealed with its first key. A new keyring comes with a new process. */
const AT_REST_MS = HOUR_MS;

/** Until when each keyring is at rest here, in milliseconds. */
const atRestUntilMs = new WeakMap<Keyring, number>();

/**
 * Seals again what an earlier key of the keyring sealed, notes which key is the first one, and counts what no key of the
 * keyring can decrypt (deploy: Keys). The frequent Cron Trigger runs it. It looks each minute while there is anything of an
 * earlier key, and each hour otherwise.
 */
export async function sweepKeyring(env: Env, { keyring }: Config, nowMs: number): Promise<void> {
  if (nowMs < (atRestUntilMs.get(keyring) ?? 0)) return;
  const database = openDatabase(env, new Trace());
  const stranded = new Map<string, number>();
  const sealed = await database.ofAnswering(async (one) => {
    const { noted, parts } = await readSealed(one.database);
    return { ...one, noted, old: parts.filter(({ keyId }) => keyId !== keyring.keyIds[0]) };
  });
  const away = database.awayFrom(sealed);
  for (const { database: at, old } of sealed) {
    for (const part of old) {
      const left = await resealOrCount(at, keyring, part);
      if (left > 0) stranded.set(part.keyId, (stranded.get(part.keyId) ?? 0) + left);
    }
  }
  for (const [key, records] of stranded) logWarning('key_missing', { key, records });
  // What one that is away has is not known: nobody may drop a key for what the others have.
  if (away.length > 0) return;
  const [note, ...others] = keysToNote(sealed[0]?.noted ?? [], keyring.keyIds, stranded, nowMs).map(
    (row) => putKey(row),
  );
  if (note) await database.batch('d1.keyring.save', [note, ...others]);
  if (sealed.every(({ old }) => old.length === 0)) atRestUntilMs.set(keyring, nowMs + AT_REST_MS);
}

/** Seals a part again; returns how much of it its key, if it is there, does not decrypt: that is left as it is. */
async function resealOrCount(
  database: Database,
  keyring: Keyring,
  { keyId, name }: SealedPart,
): Promise<number> {
  if (!keyring.keyIds.includes(keyId)) {
    const [[found]] = await database.batch('d1.keyring.read', [countSealedWith(name, keyId)]);
    return found?.count ?? 0;
  }
  const [rows] = await database.batch('d1.keyring.read', [
    selectSealedWith(name, keyId, MOST_PER_RUN),
  ]);
  const resealed = (await Promise.all(rows.map((row) => reseal(keyring, name, row)))).filter(
    (row) => row !== null,
  );
  const [update, ...others] = resealed.map((row) => updateSealed(name, row));
  if (update) {
    await database.batch('d1.keyring.save', [update, ...others]);
    logInfo('sealed_again', { key: keyId, what: SEALED[name].what, records: resealed.length });
  }
  return rows.length - resealed.length;
}

async function reseal(
  keyring: Keyring,
  name: SealedName,
  { id, sealed, version }: Resealed,
): Promise<Resealed | null> {
  const { purpose } = SEALED[name];
  const text = await unseal(keyring, purpose, id, sealed);
  return text === null ? null : { id, version, sealed: await seal(keyring, purpose, id, text) };
}
