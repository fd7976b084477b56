import { MINUTE_MS } from '../../../core/time.ts';

/** The kinds of entries that a timeline can be narrowed to. */
export const timelineKinds = [
  'payments',
  'refunds',
  'disputes',
  'booking',
  'pms',
  'mails',
  'events',
] as const;

export type TimelineKind = (typeof timelineKinds)[number];

/** Which part of a booking's timeline is shown. */
export interface TimelineView {
  /** Null for all. */
  readonly kind: TimelineKind | null;
  /** The last entry of the page before: its time, and how many entries of that time were shown. Null at the start. */
  readonly before: { readonly atMs: number; readonly seen: number } | null;
}

/** The latest of everything. */
export const WHOLE_TIMELINE: TimelineView = { kind: null, before: null };

/** How many entries one page shows. */
export const ENTRIES_SHOWN = 25;

/** Within this time, what was sent and what came of it are one entry. */
export const AT_ONCE_MS = 2 * MINUTE_MS;

/** Reads a view from a query. What it does not name well, it does not narrow. */
export function timelineViewOf(kind: string, before: string): TimelineView {
  const [, atMs, seen] = /^(\d{1,15})-(\d{1,4})$/.exec(before) ?? [];
  return {
    kind: timelineKinds.find((one) => one === kind) ?? null,
    before: atMs === undefined ? null : { atMs: Number(atMs), seen: Number(seen) },
  };
}

/** What a view reads: entries until a time, and how many of each kind; of the audit trail more. */
export interface TimelineBounds {
  readonly kind: TimelineKind | null;
  readonly untilMs: number;
  readonly most: number;
  readonly changes: { readonly untilMs: number; readonly most: number };
}

/** How much a view reads. Of what was sent and answered at once, which is read twice, one entry is shown. */
export function boundsOf({ before, kind }: TimelineView): TimelineBounds {
  const { atMs, seen } = before ?? { atMs: Number.MAX_SAFE_INTEGER - AT_ONCE_MS, seen: 0 };
  return {
    kind,
    untilMs: atMs,
    most: ENTRIES_SHOWN + seen + 1,
    changes: { untilMs: atMs + AT_ONCE_MS, most: 3 * ENTRIES_SHOWN + seen },
  };
}

/** The text of a query that continues after the last of these entries. */
export function beforeText(
  shown: readonly { readonly atMs: number }[],
  { before }: TimelineView,
): string {
  const atMs = shown.at(-1)?.atMs ?? 0;
  const seen = shown.filter((entry) => entry.atMs === atMs).length;
  return `${atMs}-${seen + (before?.atMs === atMs ? before.seen : 0)}`;
}
