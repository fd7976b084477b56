import type { Context } from 'hono';
import type { FailureCode } from '../core/failure.ts';
import type { PropertyClock } from '../core/propertyClock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import type { Trace } from '../platform/trace.ts';
import type { Scope } from '../records/clients/rules/scopes.ts';

/** The caller's property, as far as requests need it before any query. */
export interface CallerProperty extends PropertyClock {
  readonly id: string;
  readonly currency: string;
  /** The number of decimals of the currency. */
  readonly exponent: number;
  readonly timeZone: string;
  /** The property's own account at the gateway, if it has one. */
  readonly gatewayAccount: string | null;
}

/** The client that sent a request. */
export interface Caller {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Null for an administrator. */
  readonly property: CallerProperty | null;
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    startedMs: number;
    config: Config;
    trace: Trace;
    /** The property's, once that is known; else the directory's. */
    database: Database;
    caller: Caller;
    /** The id of the request's property, once it is known. */
    property: string;
    failureCode: FailureCode;
  };
}

export type AppContext = Context<AppEnv>;
