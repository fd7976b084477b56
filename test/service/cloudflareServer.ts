/**
 * A stand-in for Cloudflare's API at a socket of this machine, for one account: D1, R2, Workers with secrets, and what a
 * deployment asks besides. It runs what is deployed, with the bindings and secrets that came with it, in workerd.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { importWrangler } from '../../scripts/environment.ts';
import { inFewTexts } from '../../scripts/fewTexts.ts';

const ACCOUNT = 'a'.repeat(32);

/** Statements that are run one by one. */
const MOST_BY_THEMSELVES = 20;

/** One request to the API, without its host. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A refusal, in the API's words. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What came with an upload. */
interface Upload {
  readonly modules: readonly { readonly name: string; readonly contents: string }[];
  readonly bindings: readonly Binding[];
  readonly compatibilityDate: string;
  /** The last tag of new classes of Durable Objects; null where the upload has none. */
  readonly migrationTag: string | null;
}

/** A version as it runs. */
interface Served {
  readonly upload: Upload;
  readonly secrets: ReadonlyMap<string, string>;
}

interface Binding {
  readonly type: string;
  readonly name: string;
  readonly text?: string;
  readonly class_name?: string;
  readonly id?: string;
}

export class CloudflareServer {
  /** Everything that changed something, in order. */
  readonly changes: string[] = [];
  readonly databases: { readonly name: string; readonly uuid: string }[] = [];
  readonly buckets: string[] = [];
  /** The secrets of each Worker, by its name. */
  readonly secrets = new Map<string, Map<string, string>>();
  /** The bindings of each version, in order. */
  readonly versions: (readonly Binding[])[] = [];
  /** The domains that lead to the Worker. */
  readonly domains: string[] = [];
  /** How often its Cron Triggers were set. */
  schedules = 0;
  /** The tokens that are signed in. */
  readonly tokens = new Set(['good-token']);
  /** Is told of each change, after it happened and before it is answered. */
  onChange: (change: string) => void = () => undefined;
  /** Requests that nothing here answers. */
  readonly unknown: string[] = [];
  readonly #api: Server;
  readonly #service: Server;
  /** A version that is not deployed yet. */
  #uploaded: Upload | null = null;
  #migrated: { readonly migration_tag?: string } = {};
  #served: Served | null = null;
  #runtime: Miniflare | null = null;
  #runs: URL | null = null;

  constructor() {
    this.#api = createServer((request, response) => void this.#answer(request, response));
    this.#service = createServer((request, response) => void this.#forward(request, response));
  }

  async start(): Promise<void> {
    for (const server of [this.#api, this.#service]) {
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
    }
  }

  async stop(): Promise<void> {
    for (const server of [this.#api, this.#service]) {
      server.closeAllConnections();
      server.close();
    }
    await this.#runtime?.dispose();
  }

  /** The address of the API. */
  get api(): string {
    return `${addressOf(this.#api)}/client/v4`;
  }

  /** The address of the deployed service. */
  get service(): string {
    return addressOf(this.#service);
  }

  /** The rows of a statement in one of the account's databases: the service's first one, unless another is named. */
  async rows<T>(sql: string, name = 'booking-payments'): Promise<T[]> {
    const d1 = await this.#d1(this.#databaseOf(name).uuid);
    return (await d1.prepare(sql).all<T>()).results;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cloudflare');
    const asked: Asked = {
      method: request.method ?? 'GET',
      path: pathname.replace('/client/v4', '').replace(`/accounts/${ACCOUNT}`, ''),
      search: searchParams,
      headers: new Headers(request.headers as Record<string, string>),
      body: await buffer(request),
    };
    const { status, envelope } = await this.#envelope(asked);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ messages: [], ...envelope }));
  }

  async #envelope(asked: Asked): Promise<{ status: number; envelope: object }> {
    try {
      this.#checkToken(asked);
      const { result, ...further } = await this.#result(asked);
      return { status: 200, envelope: { success: true, errors: [], result, ...further } };
    } catch (error) {
      if (!(error instanceof Refusal)) {
        this.unknown.push(String(error));
        const failed = [{ code: 10_013, message: 'An unknown error has occurred.' }];
        return { status: 500, envelope: { success: false, errors: failed, result: null } };
      }
      const { code, message, status } = error;
      return { status, envelope: { success: false, errors: [{ code, message }], result: null } };
    }
  }

  #checkToken({ headers }: Asked): void {
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? '';
    if (!this.tokens.has(token)) throw new Refusal(401, 10_000, 'Authentication error');
  }

  async #result(asked: Asked): Promise<{ result: unknown; result_info?: object }> {
    const { method, path } = asked;
    const account = { id: ACCOUNT, name: 'Hotel' };
    if (path === '/user/tokens/verify') return { result: { id: 'token', status: 'active' } };
    if (path === '/user') return { result: { id: 'user', email: 'ops@hotel.com' } };
    if (path === '/accounts') return paged([account], asked);
    if (path === '/memberships') return paged([{ id: 'membership', account, roles: [] }], asked);
    if (path === '/d1/database') return await this.#databasesResult(asked);
    if (path.startsWith('/d1/database/')) return { result: await this.#databaseResult(asked) };
    if (path === '/r2/buckets' && method === 'POST') return { result: this.#newBucket(asked) };
    if (path.startsWith('/r2/buckets/')) return { result: this.#bucket(path) };
    if (path.startsWith('/workers/')) return { result: await this.#workersResult(asked) };
    this.unknown.push(`${method} ${path}`);
    throw new Refusal(404, 7003, `Could not route to ${path}`);
  }

  async #databasesResult(asked: Asked): Promise<{ result: unknown; result_info?: object }> {
    if (asked.method === 'GET') return paged(this.databases, asked);
    const { name } = JSON.parse(asked.body.toString()) as { name: string };
    if (this.databases.some((one) => one.name === name)) {
      throw new Refusal(400, 7502, `Database with name ${name} already exists`);
    }
    const database = { name, uuid: randomUUID() };
    this.databases.push(database);
    if (this.#served !== null) await this.#run(this.#served);
    this.#changed(`database ${name}`);
    return { result: { ...database, version: 'production', created_at: new Date().toISOString() } };
  }

  async #databaseResult({ body, path }: Asked): Promise<unknown> {
    const [, , , id, action] = path.split('/');
    const database = this.#databaseOf(id);
    if (action === undefined) return { ...database, version: 'production' };
    const { sql } = JSON.parse(body.toString()) as { sql: string };
    return this.#query(sql, database.uuid);
  }

  #databaseOf(id = ''): { readonly name: string; readonly uuid: string } {
    const database = this.databases.find(({ name, uuid }) => uuid === id || name === id);
    if (!database) throw new Refusal(404, 7404, `The database ${id} could not be found`);
    return database;
  }

  /** Runs the statements of a text together, as D1 does. */
  async #query(sql: string, id: string): Promise<unknown> {
    const { unstable_splitSqlQuery: split } = await importWrangler();
    const d1 = await this.#d1(id);
    const statements = split(sql);
    // A migration has many, and nobody reads their results.
    const texts = statements.length > MOST_BY_THEMSELVES ? inFewTexts(statements) : statements;
    const results = await d1.batch(texts.map((one) => d1.prepare(one))).catch((error) => {
      throw new Refusal(400, 7500, String(error.message).replace(/^D1_ERROR: /, ''));
    });
    if (results.some(({ meta }) => meta.changed_db))
      this.#changed(`query ${sql.split(/\s+/, 3).join(' ')}`);
    return results;
  }

  #newBucket({ body }: Asked): unknown {
    const { name } = JSON.parse(body.toString()) as { name: string };
    if (this.buckets.includes(name)) {
      throw new Refusal(
        409,
        10_004,
        'The bucket you tried to create already exists, and you own it.',
      );
    }
    this.buckets.push(name);
    this.#changed(`bucket ${name}`);
    return { name, creation_date: new Date().toISOString(), location: 'WEUR' };
  }

  #bucket(path: string): unknown {
    const name = path.split('/').at(-1) ?? '';
    if (this.buckets.includes(name)) return { name, location: 'WEUR' };
    throw new Refusal(404, 10_006, 'The specified bucket does not exist.');
  }

  async #workersResult(asked: Asked): Promise<unknown> {
    const { method, path } = asked;
    const [, , kind, name = '', part] = path.split('/');
    if (part === 'assets-upload-session') return { jwt: 'all', buckets: [] };
    if (kind === 'scripts' && part === undefined && method === 'PUT') {
      await this.#deploy(name, await readUpload(asked));
      return { id: name, deployment_id: randomUUID(), startup_time_ms: 1 };
    }
    const secrets = this.secrets.get(name);
    if (!secrets) throw new Refusal(404, 10_007, 'This Worker does not exist on your account.');
    if (kind === 'services') return this.#described(name);
    if (kind === 'workers') return { id: name, name, subdomain: { enabled: false } };
    return this.#scriptResult(asked, name, `${method} ${part}`);
  }

  /** What is asked of a Worker that exists. */
  async #scriptResult(asked: Asked, name: string, what: string): Promise<unknown> {
    const secrets = [...(this.secrets.get(name)?.keys() ?? [])];
    switch (what) {
      case 'GET secrets':
        return secrets.map((secret) => ({ name: secret, type: 'secret_text' }));
      case 'GET settings':
        return { bindings: this.versions.at(-1) ?? [] };
      case 'PATCH script-settings':
        return { tags: [] };
      case 'POST versions':
        this.#uploaded = await readUpload(asked);
        return {
          id: randomUUID(),
          startup_time_ms: 1,
          metadata: { has_preview: false },
          resources: { script: { etag: 'etag' } },
        };
      case 'GET deployments':
        return { deployments: [this.#deployment()] };
      case 'POST deployments':
        if (this.#uploaded !== null) await this.#deploy(name, this.#uploaded);
        return this.#deployment();
      case 'POST subdomain':
        return { enabled: false, previews_enabled: false };
      case 'PUT schedules':
        return { schedules: this.#schedules(asked) };
      case 'POST domains':
      case 'PUT domains':
        return this.#domains(asked);
      default:
        this.unknown.push(`${what} of ${asked.path}`);
        throw new Refusal(404, 7003, `Could not route to ${asked.path}`);
    }
  }

  /** What the account knows of a Worker: who deployed it, and up to which tag its objects' classes are. */
  #described(name: string): unknown {
    const script = { id: name, tag: 'worker', tags: [], last_deployed_from: 'wrangler' };
    const environment = { environment: 'production', script: { ...script, ...this.#migrated } };
    return { id: name, default_environment: environment };
  }

  /** All requests go to the last version. */
  #deployment(): unknown {
    const versions = [{ version_id: String(this.versions.length), percentage: 100 }];
    return { id: 'deployment', source: 'wrangler', strategy: 'percentage', versions };
  }

  #schedules({ body }: Asked): unknown {
    this.schedules += 1;
    return JSON.parse(body.toString());
  }

  #domains({ body, path }: Asked): unknown {
    if (path.endsWith('/changeset'))
      return { added: [], removed: [], updated: [], conflicting: [] };
    const { origins } = JSON.parse(body.toString()) as { origins: { hostname: string }[] };
    this.domains.splice(0, this.domains.length, ...origins.map(({ hostname }) => hostname));
    this.#changed(`domains ${this.domains.join(' ')}`);
    return origins;
  }

  /** Serves a version. Secrets that did not come with it stay. */
  async #deploy(name: string, upload: Upload): Promise<void> {
    const secrets = this.secrets.get(name) ?? new Map<string, string>();
    for (const { name: secret, text, type } of upload.bindings) {
      if (type === 'secret_text' && text !== undefined) secrets.set(secret, text);
    }
    this.secrets.set(name, secrets);
    this.versions.push(upload.bindings);
    if (upload.migrationTag !== null) this.#migrated = { migration_tag: upload.migrationTag };
    await this.#run({ upload, secrets });
    this.#changed(`version of ${name}`);
  }

  async #run(served: Served): Promise<void> {
    this.#served = served;
    const options = workerOptions(served, this.databases);
    this.#runtime ??= new Miniflare(options);
    await this.#runtime.setOptions(options);
    this.#runs = await this.#runtime.ready;
  }

  /** A database of the account. Runs a Worker that does nothing until one is deployed. */
  async #d1(id: string): Promise<D1Database> {
    if (this.#runtime === null) {
      const contents = 'export default {}';
      const nothing = { modules: [{ name: 'index.js', contents }], bindings: [] };
      const upload = { ...nothing, compatibilityDate: '2026-10-06', migrationTag: null };
      await this.#run({ upload, secrets: new Map() });
    }
    if (this.#runtime === null) throw new Error('no runtime');
    return this.#runtime.getD1Database(id);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method = 'GET', url = '/' } = request;
    const body = await buffer(request);
    if (this.#runs === null || this.domains.length === 0) {
      response.writeHead(530).end('error code: 1016');
      return;
    }
    const answered = await fetch(new URL(url, this.#runs), {
      method,
      headers: headers as Record<string, string>,
      ...(method !== 'GET' && { body }),
      redirect: 'manual',
    });
    const text = Buffer.from(await answered.arrayBuffer());
    if (url.startsWith('/admin/')) this.#changed(url);
    response.writeHead(answered.status, {
      'Content-Type': answered.headers.get('content-type') ?? '',
    });
    response.end(text);
  }

  #changed(change: string): void {
    this.changes.push(change);
    this.onChange(change);
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A page of a list, as `page` and `per_page` ask for it. */
function paged(
  all: readonly object[],
  { search }: Asked,
): { result: unknown; result_info: object } {
  const page = Number(search.get('page') ?? 1);
  const size = Number(search.get('per_page') ?? 20);
  const result = all.slice((page - 1) * size, page * size);
  const totals = { count: result.length, total_count: all.length };
  return { result, result_info: { page, per_page: size, ...totals, total_pages: 1 } };
}

async function readUpload({ body, headers }: Asked): Promise<Upload> {
  const type = headers.get('content-type') ?? '';
  const form = await new Response(new Uint8Array(body), {
    headers: { 'Content-Type': type },
  }).formData();
  const described = form.get('metadata');
  if (typeof described !== 'string') throw new Error('no metadata');
  const metadata = JSON.parse(described) as {
    bindings: Binding[];
    compatibility_date: string;
    migrations?: { new_tag: string };
  };
  const files = [...form.entries()].filter(([key]) => key !== 'metadata');
  const modules = await Promise.all(
    files.map(async ([name, file]) => ({
      name,
      contents: typeof file === 'string' ? file : await file.text(),
    })),
  );
  return {
    modules,
    bindings: metadata.bindings,
    compatibilityDate: metadata.compatibility_date,
    migrationTag: metadata.migrations?.new_tag ?? null,
  };
}

/** The uploaded Worker with its bindings, for Miniflare. */
function workerOptions({ secrets, upload }: Served, databases: CloudflareServer['databases']) {
  const { bindings, compatibilityDate, modules } = upload;
  const of = (type: string) => bindings.filter((binding) => binding.type === type);
  const texts = of('plain_text').map(({ name, text = '' }) => [name, text] as const);
  const worker: V4WorkerOptions = {
    name: 'service',
    compatibilityDate,
    modules: modules
      .filter(({ name }) => /\.(?:js|sql)$/.test(name))
      .map(({ contents, name }) => {
        const type = name.endsWith('.sql') ? 'Text' : 'ESModule';
        return { type, path: name, contents };
      }),
    bindings: Object.fromEntries([...texts, ...secrets]),
    // Each of the account's, too, by its own id: migrations come before a version that binds it.
    d1Databases: Object.fromEntries([
      ...databases.map(({ uuid }) => [uuid, uuid] as const),
      ...of('d1').map(({ id = '', name }) => [name, id] as const),
    ]),
    r2Buckets: ['EXPORTS'],
    durableObjects: Object.fromEntries(
      of('durable_object_namespace').map(({ name, class_name: className = '' }) => [
        name,
        { className, useSQLite: true },
      ]),
    ),
    ratelimits: Object.fromEntries(
      of('ratelimit').map(({ name }) => [
        name,
        { namespace_id: name, simple: { limit: 1_000, period: 10 as const } },
      ]),
    ),
  };
  return convertV4MiniflareOptions({ cf: false, workers: [worker] });
}
