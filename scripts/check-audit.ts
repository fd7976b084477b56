/** Fails for a known weakness, of high severity or worse, in what is deployed. A registry without advisories cannot tell, and that is said. */
import { spawnSync } from 'node:child_process';
import { root } from './environment.ts';

interface Audit {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
});
const found = readAudit(stdout)?.metadata?.vulnerabilities;
if (found === undefined) console.log('The registry gives no advisories: nothing was audited.');
else if ((found['high'] ?? 0) + (found['critical'] ?? 0) > 0) {
  console.error(stdout);
  process.exitCode = 1;
} else console.log('No known weakness of high severity in what is deployed.');

function readAudit(text: string): Audit | null {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return null;
  }
}
