/** Bindings, variables and secrets: from wrangler.toml, `wrangler secret` and the start script. */
export interface Env {
  /** The first database, and further ones: `DB2`, `DB3` … (operate: Many databases). */
  readonly DB: D1Database;
  readonly [further: `DB${number}`]: D1Database | undefined;
  readonly BOOKINGS: DurableObjectNamespace;
  readonly PMS_DISPATCHER: DurableObjectNamespace;
  readonly EVENT_DISPATCHER: DurableObjectNamespace;
  readonly EXPORTER: DurableObjectNamespace;
  readonly CLOCKS: DurableObjectNamespace;
  readonly MAILER: DurableObjectNamespace;
  readonly MOVER: DurableObjectNamespace;
  readonly SWEEPER: DurableObjectNamespace;
  readonly STORES: DurableObjectNamespace;
  readonly EXPORTS: R2Bucket;
  readonly SANDBOX_GATEWAY: DurableObjectNamespace;
  readonly CLIENT_RATE_LIMIT: RateLimit;
  /** Limits guesses of passwords that people choose. */
  readonly GUESS_RATE_LIMIT: RateLimit;
  readonly ASSETS: Fetcher;
  readonly RATE_LIMIT_PER_10_SECONDS: string;
  /** Secret: `id:base64,…`, newest first. See `crypto/keyring.ts`. */
  readonly KEYRING?: string;
  /** `sandbox` or `stripe`; may be left out in local mode only. */
  readonly GATEWAY?: string;
  /** Secrets of this service's Stripe account. */
  readonly STRIPE_SECRET_KEY?: string;
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** Without it, guests type cards into this service's own form, which few Stripe accounts allow. */
  readonly STRIPE_PUBLISHABLE_KEY?: string;
  /** Default: Stripe's own API. */
  readonly STRIPE_API_BASE?: string;
  /** Only the start script sets this to `true`. */
  readonly LOCAL_MODE?: string;
  /** Receives the counts of requests and money operations. Optional. */
  readonly METRICS?: AnalyticsEngineDataset;
  /** How many databases in objects there are: `STORE1`, `STORE2` … Default: none. */
  readonly STORE_COUNT?: string;
  /** How many bytes one database may have. Default: 10,000,000,000. */
  readonly DATABASE_LIMIT_BYTES?: string;
  /** Where new objects are made, such as `weur`: near the databases. Default: near the first caller. */
  readonly OBJECTS_NEAR?: string;
  /** How many days to keep export files. Default: 400. */
  readonly EXPORT_KEEP_DAYS?: string;
  /** Cloudflare's e-mail service, and the sender's address for mails to guests. */
  readonly EMAIL?: SendEmail;
  readonly MAIL_FROM?: string;
  /** Cloudflare Access before the console: the team's address, and the application's audience tag. Both or neither. */
  readonly ACCESS_TEAM?: string;
  readonly ACCESS_AUDIENCE?: string;
  /** `true`: people sign in to the console by Access alone. */
  readonly ACCESS_ONLY?: string;
  /** The base of links. May be left out in local mode only, where it is the origin of the request. */
  readonly PUBLIC_BASE_URL?: string;
  /** Where a local start serves, for links in messages that no request causes. */
  readonly LOCAL_BASE_URL?: string;
}
