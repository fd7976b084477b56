/** Variables and secrets for a local Worker, in a file that only this user can read: no process list shows them. */
import { rmSync, writeFileSync } from 'node:fs';

/** Writes the file with mode 0600, in the place of one that a killed start left. A value may not have a line break. */
export function writeVarsFile(file: string, variables: Readonly<Record<string, string>>): void {
  // The mode counts only for a file that does not exist.
  rmSync(file, { force: true });
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
}

/** Wrangler would replace `$name` by a variable's value. */
function quoted(value: string): string {
  if (/['\n\r]/.test(value)) throw new Error('A variable holds a quote or a line break.');
  return `'${value.replaceAll('$', '\\$')}'`;
}
