import { z } from '@hono/zod-openapi';
import { sumOf } from '../../core/sum.ts';
import { utcTimestamp } from '../../core/time.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { named, shownTime } from '../../platform/views.ts';
import type { KeyringKeyRow } from '../../schema/accessTables.ts';
import { LIVES } from './lives.ts';
import { countSealedWith, readSealed, SEALED } from './store.ts';

const STORED = ['pms_password', 'endpoint_secret'] as const;

/** What needs a key of the keyring (interface: List keys). */
export const keySchema = named('KeyringKey', {
  key: z.string().describe('its id'),
  status: z
    .enum(['first', 'earlier', 'missing'])
    .describe(
      '`first` signs and encrypts; `earlier` verifies and decrypts; `missing` is not in `KEYRING`',
    ),
  needs: z
    .array(
      z.object({
        what: z
          .enum([...STORED, ...(Object.keys(LIVES) as (keyof typeof LIVES)[])])
          .describe('a kind of data'),
        count: z
          .int()
          .nullable()
          .describe('how many are stored; null for what lives by its `until`'),
        until: shownTime
          .nullable()
          .describe('when nothing of it can need the key any more; null while unknown'),
      }),
    )
    .describe('what still needs it'),
});

export type KeyView = z.infer<typeof keySchema>;
type Need = KeyView['needs'][number];

/** Says of each key what needs it. Keys that nothing needs and that the keyring has not are left out. Two round trips. */
export async function listKeys(
  database: Database,
  keyring: Keyring,
  nowMs: number,
): Promise<KeyView[]> {
  const found = await database.ofEach((one) => readStored(one.database));
  const noted = found[0]?.noted ?? [];
  const stored = found.flatMap((one) => one.stored);
  const ids = new Set([
    ...keyring.keyIds,
    ...noted.map(({ id }) => id),
    ...stored.map((one) => one.keyId),
  ]);
  return [...ids]
    .map((key) => keyView(keyring, key, noted, stored, nowMs))
    .filter(({ needs, status }) => status !== 'missing' || needs.length > 0);
}

/** Reads what each key has sealed in a database, and which are noted there. Two round trips. */
async function readStored(database: Database) {
  const { noted, parts } = await readSealed(database);
  const [first, ...others] = parts.map((part) => countSealedWith(part.name, part.keyId));
  const counts = first ? await database.batch('d1.keyring.read', [first, ...others]) : [];
  const stored = parts.map(({ name, keyId }, index) => ({
    keyId,
    what: SEALED[name].what,
    count: counts[index]?.[0]?.count ?? 0,
  }));
  return { noted, stored };
}

function keyView(
  { keyIds }: Keyring,
  key: string,
  noted: readonly KeyringKeyRow[],
  stored: Awaited<ReturnType<typeof readStored>>['stored'],
  nowMs: number,
): KeyView {
  const isFirst = key === keyIds[0];
  const status = isFirst ? 'first' : keyIds.includes(key) ? 'earlier' : 'missing';
  const replacedAtMs = noted.find(({ id }) => id === key)?.replacedAtMs ?? null;
  const kept = STORED.map((what): Need => {
    const own = stored.filter((one) => one.keyId === key && one.what === what);
    return { what, count: sumOf(own, 'count'), until: null };
  });
  return {
    key,
    status,
    needs: [
      ...kept.filter(({ count }) => count !== 0),
      ...passing(isFirst ? null : replacedAtMs, nowMs),
    ],
  };
}

/** What is stored nowhere, and can still need a key that was replaced. */
function passing(replacedAtMs: number | null, nowMs: number): Need[] {
  return Object.entries(LIVES).flatMap(([what, lifeMs]) => {
    const untilMs = replacedAtMs === null ? null : replacedAtMs + lifeMs;
    if (untilMs !== null && untilMs <= nowMs) return [];
    const until = untilMs === null ? null : utcTimestamp(untilMs);
    return [{ what: what as keyof typeof LIVES, count: null, until }];
  });
}
