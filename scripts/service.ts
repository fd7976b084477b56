/** Runs the service on this machine, for `npm start`, the demo, the chaos run and the service tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import { bundleWorker } from './bundleWorker.ts';
import {
  devVarsFile,
  localConfig,
  localStores,
  root,
  wranglerConfig,
  wranglerEnvironment,
  wranglerProgram,
} from './environment.ts';
import { prepareState } from './prepare.ts';
import { writeVarsFile } from './varsFile.ts';

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
  if (!options.prepared) {
    progress('Preparing the database: migrations and demo data');
    await prepareState(persistTo);
  }
  progress('Starting the service');

  const { entry } = options;
  const guard = launch({ ...options, ...(entry && { entry: await bundleWorker(entry) }) });
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

/** Wrangler's warning that nothing fires Cron Triggers locally. This file fires them. */
const WRONG_WARNING = 'Scheduled Workers are not automatically triggered';

/**
 * Starts wrangler under a guard, in a new process group. The guard's standard input is a pipe from this process: when
 * this process ends for any reason, the pipe closes, and the guard ends the whole group.
 */
function launch({ port, persistTo, output, entry, variables = {} }: ServiceOptions): ChildProcess {
  const serve =
    `dev --config ${localConfig()} --env= --ip 127.0.0.1 --port ${port} --inspector-port 0 --var LOCAL_MODE:true
    --var LOCAL_BASE_URL:http://127.0.0.1:${port} --var STORE_COUNT:${localStores()}
    --local --log-level warn --show-interactive-dev-session=false`.split(/\s+/);
  const varsFile = path.join(persistTo, 'vars');
  const hasVariables = Object.keys(variables).length > 0;
  mkdirSync(persistTo, { recursive: true });
  if (hasVariables) writeVarsFile(varsFile, variables);
  // Wrangler reads .dev.vars by itself only if it is told no other file.
  const further = hasVariables ? ['--env-file', devVarsFile, '--env-file', varsFile] : [];
  const guard = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'guard.ts'),
      ...wranglerProgram,
      ...serve,
      ...(entry === undefined ? [] : [entry]),
      ...further,
      '--persist-to',
      persistTo,
    ],
    { cwd: root, env: wranglerEnvironment(), detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  for (const stream of [guard.stdout, guard.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (!text.includes(WRONG_WARNING)) output?.(text);
    });
  }
  // Wrangler reads the file again when it reloads, so it stays for as long as the service runs.
  guard.on('exit', () => rmSync(varsFile, { force: true }));
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

/** Fires the Cron Triggers at the times in wrangler.toml, because wrangler does not do so locally. */
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
