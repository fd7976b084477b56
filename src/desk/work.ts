import type { Config } from '../platform/config.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import type { Database } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import type { Trace } from '../platform/trace.ts';
import type { Person } from '../records/staff/rules.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { DeskAction } from './actions.ts';

/** Who does something to which booking, and what that takes. */
export interface DeskWork {
  readonly database: Database;
  readonly trace: Trace;
  readonly keyring: Keyring;
  /** The public URL of this service. */
  readonly baseUrl: string;
  readonly env: Env;
  readonly config: Config;
  readonly person: Person;
  readonly property: PropertyRow;
  readonly reference: string;
  readonly requestId: string;
}

/** What is done once: the action, the key of its form, and the quote that was shown, if one was. */
export interface DeskOrder {
  readonly action: DeskAction;
  /** A UUID: however often the form is sent, it acts once. */
  readonly key: string;
  readonly quoteId: string | null;
}

/** What came of an action. `link` is the address of the guest's payment page, if one was asked for. */
export interface Done {
  readonly link: string | null;
}
