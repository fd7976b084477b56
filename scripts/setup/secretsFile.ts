/** Secrets on their way to a Worker, in a file that only this user can read and that exists only meanwhile. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../environment.ts';

/** Holds the folders of secrets. */
const parent = path.join(root, '.wrangler', 'tmp');

/** Begins the names of these folders. */
const PREFIX = 'setup-secrets-';

/** Signals that end this process. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes `secrets` to a file with mode 0600 for as long as `work` takes. Removes it when a signal ends the process, too,
 * and first what a killed process left.
 */
export async function withSecretsFile<T>(
  secrets: Readonly<Record<string, string>>,
  work: (file: string) => Promise<T>,
): Promise<T> {
  removeLeft();
  // Only this user can open the folder.
  const folder = mkdtempSync(path.join(parent, PREFIX));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const end = () => {
    remove();
    process.exit(1);
  };
  for (const signal of endings) process.once(signal, end);
  try {
    const file = path.join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600, flag: 'wx' });
    return await work(file);
  } finally {
    remove();
    for (const signal of endings) process.off(signal, end);
  }
}

function removeLeft(): void {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    if (name.startsWith(PREFIX)) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}
