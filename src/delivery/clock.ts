/**
 * The clock of every dispatcher, in milliseconds. The runtime creates the objects, so tests cannot pass them a clock
 * and replace this one. A method of the object would be open to every caller.
 */
export const dispatcherClock = { now: (): number => Date.now() };
