import type { BookingObject } from './bookings/object.ts';
import type { ExportObject } from './exports/object.ts';
import type { SandboxAcquirer } from './gateways/sandbox/acquirer.ts';
import type { PmsDispatcher } from './outbox/object.ts';

/** The bindings and variables that wrangler.toml, the secrets and the start script provide. */
export interface Env {
  readonly DB: D1Database;
  readonly BOOKINGS: DurableObjectNamespace<BookingObject>;
  readonly PMS_DISPATCHER: DurableObjectNamespace<PmsDispatcher>;
  readonly EXPORTER: DurableObjectNamespace<ExportObject>;
  readonly EXPORTS: R2Bucket;
  readonly SANDBOX_GATEWAY: DurableObjectNamespace<SandboxAcquirer>;
  readonly CLIENT_RATE_LIMIT: RateLimit;
  /** For passwords that people choose. */
  readonly GUESS_RATE_LIMIT: RateLimit;
  readonly ASSETS: Fetcher;
  readonly RATE_LIMIT_PER_10_SECONDS: string;
  /** Secret: `id:base64,…`, newest first. See `crypto/keyring.ts`. */
  readonly KEYRING?: string;
  /** `sandbox` or `stripe`; may be left out in local mode only. */
  readonly GATEWAY?: string;
  /** Secrets: this service's account at Stripe. */
  readonly STRIPE_SECRET_KEY?: string;
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** When left out, guests type cards into this service's own form, which few accounts at Stripe allow. */
  readonly STRIPE_PUBLISHABLE_KEY?: string;
  /** When left out, Stripe's own. */
  readonly STRIPE_API_BASE?: string;
  /** `true` only where the start script passes it. */
  readonly LOCAL_MODE?: string;
  /** Where requests and money operations are counted; nowhere when left out. */
  readonly METRICS?: AnalyticsEngineDataset;
  /** How many days export files are kept; when left out, 400. */
  readonly EXPORT_KEEP_DAYS?: string;
  /** Cloudflare's e-mail service, and the address that messages to guests come from. */
  readonly EMAIL?: SendEmail;
  readonly MAIL_FROM?: string;
  /** Where guests reach this service; when left out, where the request reached it. */
  readonly PUBLIC_BASE_URL?: string;
}
