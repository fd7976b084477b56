import type { GuestActRow } from '../../schema/guestActTables.ts';

/** From where a guest sent a request. */
export type Visitor = Pick<GuestActRow, 'ipAddress' | 'browser'>;

/** What a page said that its guest agreed to, and from where they did. */
export interface Agreed extends Visitor {
  readonly language: string;
  readonly words: string;
}

export interface About
  extends Pick<GuestActRow, 'propertyId' | 'bookingReference' | 'subjectId' | 'atMs'> {
  readonly kind: Exclude<GuestActRow['kind'], 'opened'>;
}

/** The record of an agreement: one for each thing that is agreed to. */
export function agreementRow(about: About, agreed: Agreed): GuestActRow {
  return { ...about, ...agreed, id: `${about.kind}-${about.subjectId}` };
}
