/**
 * The service in the test's own process, from the state that built.ts made. For tests of what the service does, not of how it
 * is started or killed.
 */
import { cpSync } from 'node:fs';
import { inject } from 'vitest';
import { runWorker } from '../../scripts/runWorker.ts';
import { freePort, type Service } from '../../scripts/service.ts';

interface QuickOptions {
  readonly persistTo: string;
  /** Whether the state folder is already migrated and seeded. */
  readonly prepared?: boolean;
  /** Default: any free one. */
  readonly port?: number;
  readonly variables?: Readonly<Record<string, string>>;
}

interface QuickService extends Service {
  readonly database: D1Database;
}

/** Starts the service, whose Cron Triggers never fire by themselves, and waits until it listens. */
export async function startQuickly(options: QuickOptions): Promise<QuickService> {
  const { persistTo, prepared = false, port = await freePort(), variables = {} } = options;
  const { worker, state } = inject('built');
  if (!prepared) cpSync(state, persistTo, { recursive: true });
  const miniflare = await runWorker({ worker, port, persistTo, variables });
  const ended = Promise.withResolvers<void>();
  const stop = async () => {
    await miniflare.dispose();
    ended.resolve();
  };
  const database = await miniflare.getD1Database('DB');
  return { url: `http://127.0.0.1:${port}`, database, ended: ended.promise, stop, kill: stop };
}
