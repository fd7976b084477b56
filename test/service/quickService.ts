/**
 * The service without wrangler, from the bundle and the state that built.ts made: a start takes a quarter of what
 * `npm start` takes. For tests of what the service does, not of how it is started or killed.
 */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { inject } from 'vitest';
import { localStores } from '../../scripts/environment.ts';
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
  const url = `http://127.0.0.1:${port}`;
  const local = { LOCAL_MODE: 'true', LOCAL_BASE_URL: url, STORE_COUNT: String(localStores()) };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      resourcePersistencePath: path.join(persistTo, 'v3'),
      cf: false,
      unsafeTriggerHandlers: true,
      workers: [{ ...worker, bindings: { ...worker.bindings, ...local, ...variables } }],
    }),
  );
  await miniflare.ready;
  const ended = Promise.withResolvers<void>();
  const stop = async () => {
    await miniflare.dispose();
    ended.resolve();
  };
  const database = await miniflare.getD1Database('DB');
  return { url, database, ended: ended.promise, stop, kill: stop };
}
