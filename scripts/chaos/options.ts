import { parseArgs } from 'node:util';

/** What the command line may set. */
export interface ChaosOptions {
  readonly kills: number;
  readonly bookings: number;
  /** Random choices are made from it alone. */
  readonly seed: string;
}

/** Reads the command line. Throws with a sentence for whoever typed it. */
export function readOptions(): ChaosOptions {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '8' },
      bookings: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  return {
    kills: whole('kills', values.kills, 50),
    bookings: whole('bookings', values.bookings, 500),
    seed: values.seed,
  };
}

function whole(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`--${name} is a whole number from 1 to ${most}.`);
}
