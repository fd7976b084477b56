import { testEnv } from './api.ts';

/** A property's settings for payments of more than is due, and for payments like earlier ones. */
interface Guard {
  readonly overchargeGuard?: 'off' | 'warn' | 'refuse';
  readonly duplicateWindowSeconds?: number;
}

export async function setGuard(property: string, guard: Guard): Promise<void> {
  await testEnv.DB.prepare(
    'UPDATE properties SET overcharge_guard = coalesce(?2, overcharge_guard), duplicate_window_seconds = coalesce(?3, duplicate_window_seconds), version = version + 1 WHERE id = ?1',
  )
    .bind(property, guard.overchargeGuard ?? null, guard.duplicateWindowSeconds ?? null)
    .run();
}
