import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/environment.ts';

/** Memory as a folder, where the system has one. */
const MEMORY = '/dev/shm';

/** Less than this, and the databases of a test run might not fit. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * Where tests keep databases that nobody needs afterwards: in memory where there is enough, since most of a test's time
 * would else be the disk's; else in the project's scratch folder.
 */
export function scratchFolder(): string {
  const folder = hasMemory()
    ? path.join(MEMORY, 'booking-payments-tests')
    : path.join(root, '.wrangler', 'tmp');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ENOUGH_BYTES;
}
