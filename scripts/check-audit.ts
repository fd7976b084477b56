/**
 * `npm run check:audit`: fails for a known vulnerability of high or critical severity in deployed packages, and when
 * the registry gives no advisories. `AUDIT_OPTIONAL=1` lets the latter pass.
 */
import { spawnSync } from 'node:child_process';
import { verdictOf } from './audit.ts';
import { root } from './environment.ts';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
});

switch (verdictOf(stdout)) {
  case 'sound':
    console.log('The deployed packages have no known vulnerability of high or critical severity.');
    break;
  case 'weak':
    console.error(stdout);
    process.exitCode = 1;
    break;
  default:
    console.error(`Could not audit: the registry gave no advisories. Its answer:\n${stdout}`);
    process.exitCode = process.env['AUDIT_OPTIONAL'] === '1' ? 0 : 1;
}
