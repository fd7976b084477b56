import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface ChaosOptions {
  readonly kills: number;
  readonly bookings: number;
  /** The source of all random choices. */
  readonly seed: string;
}

/** Reads the command line. Throws an error with a sentence for the user. */
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
  throw new Error(`--${name} must be a whole number from 1 to ${most}.`);
}
