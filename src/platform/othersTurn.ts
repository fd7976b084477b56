/** How long a turn lasts where nothing else is said, in milliseconds. */
const TURN_MS = 1;

/**
 * Lets other requests run: an isolate, and a whole local start, does one thing at a time. Who has much to do calls it between
 * the parts; pages also do before they read and before they are drawn.
 */
export function othersTurn(ms = TURN_MS): Promise<void> {
  return scheduler.wait(ms);
}
