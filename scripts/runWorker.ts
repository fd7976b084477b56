import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { localStores } from './environment.ts';

/** What the runtime notes for its own developers begins with. */
const RUNTIME_NOTE = 'NOSENTRY';

export interface WorkerToRun {
  readonly worker: V4WorkerOptions;
  readonly port: number;
  readonly persistTo: string;
  /** More variables and secrets than those of the Worker's configuration. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Runs a Worker by this process in local mode, on a state folder, and waits until it listens. Nothing stands between it and who
 * calls it. Its Cron Triggers fire by request alone.
 */
export async function runWorker({
  worker,
  port,
  persistTo,
  variables,
}: WorkerToRun): Promise<Miniflare> {
  const local = {
    LOCAL_MODE: 'true',
    LOCAL_BASE_URL: `http://127.0.0.1:${port}`,
    STORE_COUNT: String(localStores()),
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      resourcePersistencePath: path.join(persistTo, 'v3'),
      cf: false,
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ level, message }) => {
        const isToRead = level === 'warn' || level === 'error';
        if (isToRead && !message.startsWith(RUNTIME_NOTE)) console.error(message);
      },
      workers: [{ ...worker, bindings: { ...worker.bindings, ...local, ...variables } }],
    }),
  );
  await miniflare.ready;
  return miniflare;
}
