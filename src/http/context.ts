import type { Context } from 'hono';
import type { Scope } from '../clients/scopes.ts';
import type { Config } from '../config.ts';
import type { FailureCode } from '../core/failure.ts';
import type { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import type { Crossings } from '../io/crossings.ts';

/** The property that a caller is bound to, as far as requests need it before any look-up. */
export interface CallerProperty {
  readonly id: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  readonly timeZone: string;
  /** Its own account at the gateway, if it has one. */
  readonly gatewayAccount: string | null;
}

/** Who is calling. */
export interface Caller {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Null for an administrator. */
  readonly property: CallerProperty | null;
}

/** What one request carries along. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    startedMs: number;
    config: Config;
    crossings: Crossings;
    database: Database;
    caller: Caller;
    /** The id of the property that the request is about, as soon as that is known. */
    property: string;
    /** Why the request was refused, once it was. */
    refusal: FailureCode;
  };
}

export type AppContext = Context<AppEnv>;
