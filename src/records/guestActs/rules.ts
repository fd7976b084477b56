import type { GuestActRow } from '../../schema/guestActTables.ts';

/** From where a guest sent a request. */
export type Visitor = Pick<GuestActRow, 'ipAddress' | 'browser'>;

/** What a page said that its guest agreed to, and from where they did. */
export interface Agreed extends Visitor {
  readonly language: string;
  readonly words: string;
}
