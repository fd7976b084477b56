/** How long whoever has much to do waits, in milliseconds. */
const TURN_MS = 1;

/**
 * Lets whoever else calls have their turn: an isolate does one thing at a time. For pages, before they are drawn and between
 * what they read.
 */
export function othersTurn(): Promise<void> {
  return scheduler.wait(TURN_MS);
}
