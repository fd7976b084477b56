import type { Cursor } from './pages.ts';

/** The most rows of a page: about 20 MB with the longest possible texts. */
export const MOST_ROWS = 500;

/** The ids that one page of applications looks at: those of customers, or of applications where a file goes by these only. */
export interface Window {
  /** The position before it. */
  readonly customerId: number;
  readonly applicationId: number;
  /** How many ids it has. */
  readonly ids: number;
}

/** The most ids of a window: it may come upon a crowd, of which it reads the keys of all. */
const MOST_IDS = 20_000;

/** How many more ids than held the rows of the last page: most pages are full then, and read little more than they give. */
const MARGIN = 1.1;

/** The window after a position. Where none is known, it is as small as a page. */
export function windowAfter([customerId = 0, applicationId = 0, ids = MOST_ROWS]: Cursor): Window {
  return {
    customerId: Number(customerId),
    applicationId: Number(applicationId),
    ids: Number(ids),
  };
}

/** How many ids to look at after a full page, of whose rows the ids went so far. */
export function idsAfterFull(spanned: number): number {
  return Math.min(MOST_IDS, Math.ceil(Math.max(1, spanned) * MARGIN));
}

/** How many ids to look at after a page that was not full. */
export function idsAfterFew({ ids }: Window): number {
  return Math.min(MOST_IDS, 2 * ids);
}
