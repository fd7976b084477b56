/**
 * Runs one command in its own process group: `guard.ts [option…] <script> [argument…]`. When the starting process ends (which
 * closes standard input), when the guard gets SIGTERM, or when the command ends, the guard ends the whole group.
 */
import { spawn } from 'node:child_process';

const GRACE_MS = 4_000;

const child = spawn(process.execPath, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'inherit'],
});

function endGroup(): void {
  process.kill(-process.pid, 'SIGKILL');
}

process.stdin.resume();
process.stdin.on('close', endGroup);
process.on('SIGTERM', () => {
  // The whole group got the signal. Kill processes that do not end in time.
  setTimeout(endGroup, GRACE_MS);
});
child.on('exit', endGroup);
