/** Runs the service on this machine, for `npm start`, the demo, the chaos run and the service tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import type { V4WorkerOptions } from 'miniflare';
import { root, wranglerConfig, wranglerEnvironment } from './environment.ts';
import { localWorker } from './localWorker.ts';
import { prepareState } from './prepare.ts';

/** The longest wait for the service's first answer. */
const START_MS = 60_000;

/** The longest wait for an orderly end, before the service is killed. */
const STOP_MS = 5_000;

export interface ServiceOptions {
  readonly port: number;
  readonly persistTo: string;
  /** Whether the state folder is already migrated and seeded, as after a kill. */
  readonly prepared?: boolean;
  /** Receives a line for each step. */
  readonly progress?: (line: string) => void;
  /** Receives the service's output. */
  readonly output?: (text: string) => void;
  /** Whether to fire the Cron Triggers. Default: yes. */
  readonly crons?: boolean;
  /** More variables and secrets than those of wrangler.toml, such as another gateway's. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Another Worker's file in place of the service's own. */
  readonly entry?: string;
}

/** A running service. */
export interface Service {
  readonly url: string;
  /** Resolves when its processes have ended, for any reason. */
  readonly ended: Promise<void>;
  /** Ends the service in order. */
  stop(): Promise<void>;
  /** Kills the whole process group at once, like a power cut. */
  kill(): Promise<void>;
}

/** Migrates and seeds the state folder, starts the service in its own process group, and waits for its answer. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port, persistTo, progress = () => undefined } = options;
  await requireFreePort(port);
  progress('Building the Worker');
  const worker = await localWorker(options.entry);
  if (!options.prepared) {
    progress('Preparing the database: migrations and demo data');
    await prepareState(persistTo);
  }
  progress('Starting the service');
  const guard = launch(options, worker);
  const ended = new Promise<void>((resolve) => {
    guard.on('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  const kill = async () => {
    killGroup(guard, 'SIGKILL');
    await ended;
  };
  if (!(await Promise.race([answers(url), ended.then(() => false)]))) {
    await kill();
    throw new Error('The service did not start. Its output is above.');
  }
  const crons = options.crons === false ? [] : await fireCrons(url);
  const quiet = () => {
    for (const cron of crons) cron.stop();
  };
  void ended.then(quiet);
  return {
    url,
    ended,
    kill,
    stop: async () => {
      quiet();
      killGroup(guard, 'SIGTERM');
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
      await kill();
    },
  };
}

const script = (name: string) => path.join(import.meta.dirname, name);

/**
 * Runs a Worker under a guard, in a new process group. The guard's standard input is a pipe from this process: when this
 * process ends for any reason, the pipe closes, and the guard ends the whole group.
 */
function launch(
  { port, persistTo, output, variables = {} }: ServiceOptions,
  worker: V4WorkerOptions,
): ChildProcess {
  const serve = [script('guard.ts'), script('serve.ts'), persistTo, String(port)];
  const guard = spawn(process.execPath, serve, {
    cwd: root,
    env: { ...wranglerEnvironment(), WORKER: JSON.stringify({ worker, variables }) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  for (const stream of [guard.stdout, guard.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => output?.(text));
  }
  return guard;
}

function killGroup(guard: ChildProcess, signal: NodeJS.Signals): void {
  if (guard.pid === undefined) return;
  try {
    process.kill(-guard.pid, signal);
  } catch {
    // The group has ended already.
  }
}

async function answers(url: string): Promise<boolean> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const health = await fetch(`${url}/health`).catch(() => null);
    if (health?.status === 200) return true;
    await sleep(100);
  }
  return false;
}

/** Fires the Cron Triggers at the times in wrangler.toml, because nothing does so locally. */
async function fireCrons(url: string): Promise<Cron[]> {
  const { triggers } = await wranglerConfig();
  return (triggers.crons ?? []).map(
    (pattern) =>
      new Cron(pattern, { timezone: 'UTC', unref: true }, async () => {
        const address = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(pattern)}`;
        await fetch(address).catch(() => null);
      }),
  );
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function requireFreePort(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => {
      reject(new Error(`Port ${port} is in use. Set PORT to another one.`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => {
    server.close(resolve);
  });
}
