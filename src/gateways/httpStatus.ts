/** Statuses that leave open what was done: a conflict, and a failure of what the acquirer depends on. */
const OPEN_STATUSES = new Set([409, 424]);

/** Statuses of the account or its key, and of too many requests. */
const TEMPORARY_STATUSES = new Set([401, 403, 429]);

/**
 * What the HTTP status of an error says of the request: the acquirer may have carried it out (`open`), or it certainly
 * did not, for a reason of its own or of its configuration (`temporary`) or because the request is at fault (`final`).
 */
export function meaningOf(status: number): 'open' | 'temporary' | 'final' {
  if (status < 400 || status >= 500 || OPEN_STATUSES.has(status)) return 'open';
  return TEMPORARY_STATUSES.has(status) ? 'temporary' : 'final';
}
