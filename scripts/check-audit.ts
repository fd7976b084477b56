/**
 * `npm run check:audit`: fails for a known weakness, of high severity or worse, in what is deployed, and when nobody can tell.
 * `AUDIT_OPTIONAL=1` lets the latter pass where the registry is known to give no advisories.
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
    console.log('No known weakness of high severity in what is deployed.');
    break;
  case 'weak':
    console.error(stdout);
    process.exitCode = 1;
    break;
  default:
    console.error(`The registry gave no advisories: nothing was audited. It said:\n${stdout}`);
    process.exitCode = process.env['AUDIT_OPTIONAL'] === '1' ? 0 : 1;
}
