import type { D1Span, Statement } from '../platform/db/database.ts';
import { tryCommit } from '../platform/db/tryCommit.ts';
import type { BookingWork } from './work.ts';

/** Whether D1 has an intent; `unknown` when D1 did not say. */
export type Recorded = 'committed' | 'unknown';

/** The batch that records an intent. */
interface Intent {
  readonly span: D1Span;
  readonly statements: [Statement, ...Statement[]];
  /** Reads back whether D1 has this very intent. */
  readonly isOurs: () => Promise<boolean>;
}

/**
 * Records an intent before the gateway gets the request. If D1 does not say whether it committed the batch, sends the
 * same batch once more. If D1 refuses the second one, `isOurs` reads back whether the first one was committed. Throws
 * D1's refusal if nothing was recorded.
 */
export async function commitIntent(
  work: BookingWork,
  span: D1Span,
  statements: [Statement, ...Statement[]],
  isOurs: () => Promise<boolean>,
): Promise<Recorded> {
  const first = await tryCommit(work.database, span, statements);
  if (first.kind === 'committed') return 'committed';
  const recorded = await sendAgain(work, { span, statements, isOurs });
  // The remembered booking may be outdated.
  if (recorded === 'unknown') work.memory.state = null;
  return recorded;
}

async function sendAgain(
  work: BookingWork,
  { span, statements, isOurs }: Intent,
): Promise<Recorded> {
  try {
    const second = await tryCommit(work.database, span, statements);
    return second.kind === 'committed' ? 'committed' : 'unknown';
  } catch (error) {
    const ours = await isOurs().catch(() => null);
    if (ours === false) throw error;
    return ours === null ? 'unknown' : 'committed';
  }
}
