/** Runs the service on this machine: what `npm start`, the demo and the service tests share. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cron } from 'croner';
import { root, wranglerBin, wranglerConfig, wranglerEnvironment } from './environment.ts';
import { prepareState } from './prepare.ts';

/** How long the service may take until it answers. */
const START_MS = 60_000;

/** How long it may take to end by itself before it is killed. */
const STOP_MS = 5_000;

export interface ServiceOptions {
  readonly port: number;
  readonly persistTo: string;
  /** Told what is being done, a line each. */
  readonly progress?: (line: string) => void;
  /** Gets what the service itself prints. */
  readonly output?: (text: string) => void;
  /** Whether to fire the Cron Triggers on their timetable. */
  readonly crons?: boolean;
  /** Variables and secrets besides those of wrangler.toml, such as another gateway's. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A running service. */
export interface Service {
  readonly url: string;
  /** Resolves when its processes have ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Kills its whole process group at once, as a power cut would. */
  kill(): Promise<void>;
}

/** Migrates and seeds the state folder, starts the service in a process group of its own and waits until it answers. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port, persistTo, progress = () => undefined } = options;
  await requireFreePort(port);
  progress('Applying migrations and seeds');
  await prepareState(persistTo);
  progress('Starting');

  const guard = launch(options);
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
    throw new Error('The service did not start: see its output above.');
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

/** What wrangler says of Cron Triggers, in one piece: these are fired here. */
const UNTRUE_WARNING = 'Scheduled Workers are not automatically triggered';

/**
 * Starts wrangler under a guard that leads a process group of its own. The guard's standard input is a pipe
 * from here: when this process ends, however it ends, the pipe closes and the guard ends the whole group.
 */
function launch({ port, persistTo, output, variables = {} }: ServiceOptions): ChildProcess {
  const serve = `dev --env= --ip 127.0.0.1 --port ${port} --inspector-port 0 --var LOCAL_MODE:true
    --local --log-level warn --show-interactive-dev-session=false`.split(/\s+/);
  const further = Object.entries(variables).flatMap(([name, value]) => [
    '--var',
    `${name}:${value}`,
  ]);
  const guard = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'guard.ts'),
      wranglerBin,
      ...serve,
      ...further,
      '--persist-to',
      persistTo,
    ],
    { cwd: root, env: wranglerEnvironment(), detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  for (const stream of [guard.stdout, guard.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (!text.includes(UNTRUE_WARNING)) output?.(text);
    });
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

/** wrangler fires no Cron Triggers locally, so this does, on the timetable of wrangler.toml. */
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

/** A port that nobody uses right now. */
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
