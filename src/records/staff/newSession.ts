import type { SessionRow } from '../../schema/staffTables.ts';
import { LIVES } from '../keyring/lives.ts';

/** A session that begins now, on a device, without its person. */
export function newSession(device: string, nowMs: number): Omit<SessionRow, 'userId'> {
  const untilMs = nowMs + LIVES.shift;
  const id = crypto.randomUUID();
  return { id, device, startedAtMs: nowMs, seenAtMs: nowMs, untilMs, endedAtMs: null };
}
