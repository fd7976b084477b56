/** Secrets on their way to a Worker, in a file that only this user can read and that exists only meanwhile. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Signals that end this process. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes `secrets` to a file with mode 0600 for as long as `work` takes. Removes it when a signal ends the process, too. */
export async function withSecretsFile<T>(
  secrets: Readonly<Record<string, string>>,
  work: (file: string) => Promise<T>,
): Promise<T> {
  // Only this user can open the folder.
  const folder = mkdtempSync(path.join(tmpdir(), 'setup-'));
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
