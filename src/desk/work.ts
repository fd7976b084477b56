import type { Config } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import type { RequestWork } from '../records/cardRequests/actions.ts';
import type { Person } from '../records/staff/rules.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { DeskAction } from './actions.ts';

/** Who does something to which booking, and what that takes. */
export interface DeskWork extends RequestWork {
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
