import type { AppContext } from '../../http/context.ts';
import type { Person } from '../../records/staff/rules.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

export interface PropertyRequest {
  readonly c: AppContext;
  readonly person: Person;
  readonly property: PropertyRow;
  /** The booking's reference; empty if the request names none. */
  readonly reference: string;
}

/** Who looks at a page of which property. */
export type Viewed = Pick<PropertyRequest, 'person' | 'property'>;
