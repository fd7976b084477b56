import { spawn } from 'node:child_process';
import { bundleWorker } from './bundleWorker.ts';
import { root, wranglerProgram } from './environment.ts';

/** The longest wait for wrangler, so that a hanging one does not hang the caller. */
const MOST_MS = 60_000;

interface Build {
  /** Default: yes. Not for a profile that names files. */
  readonly minify?: boolean;
  /** Another file than the configuration's. */
  readonly entry?: string;
  /** Ends the build when it aborts. */
  readonly signal?: AbortSignal;
}

/** Bundles a Worker into `outdir`, as for a deployment. Throws wrangler's output when that fails. */
export async function bundle(
  configPath: string,
  outdir: string,
  { minify = true, entry, signal }: Build = {},
): Promise<void> {
  const where = [
    ...(entry === undefined ? [] : [await bundleWorker(entry)]),
    '--env=',
    '--config',
    configPath,
    '--outdir',
    outdir,
  ];
  await wrangler(['deploy', '--dry-run', `--minify=${minify}`, ...where], signal);
}

/** Runs wrangler to its end. Throws its output when it fails. Ends it when `signal` aborts. */
export async function wrangler(args: readonly string[], signal?: AbortSignal): Promise<void> {
  // A separate process group: wrangler starts further processes, which must end with it.
  const child = spawn(process.execPath, [...wranglerProgram, ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const end = () => endGroup(child.pid);
  const limit = AbortSignal.any([AbortSignal.timeout(MOST_MS), ...(signal ? [signal] : [])]);
  limit.addEventListener('abort', end);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  limit.removeEventListener('abort', end);
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${output}`);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
