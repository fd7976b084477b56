/**
 * Leads the process group of one command: `guard.ts <script> [argument…]`. When the one who started it is gone
 * (its standard input closes) or it is told to end, the command is ended, and then the whole group.
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
  // The signal went to the whole group; whoever has not ended in time is ended.
  setTimeout(endGroup, GRACE_MS);
});
child.on('exit', endGroup);
