import { z } from 'zod';

/** Every way in which the PMS can be told to answer. */
const modes = [
  'right',
  'error',
  'http-400',
  'http-429',
  'http-500',
  'http-503',
  'hang',
  'html',
  'wrong-id',
  'redirect',
  'huge',
  'drip',
  'close',
  'close-late',
  'not-json',
] as const;

/** A way to answer. */
export type Mode = (typeof modes)[number];

/** How the PMS is to answer from now on. */
export const behaviourShape = z.strictObject({
  mode: z.enum(modes),
  /** For how many messages, after which it answers right again; until it is told otherwise when left out. */
  times: z.int().min(1).optional(),
  /** Sent as Retry-After with a 429, 500 or 503. */
  retryAfterSeconds: z.int().min(0).optional(),
  /** Which messages it is for: all that have these; the others are answered right. */
  matching: z
    .strictObject({ messageType: z.string().optional(), reference: z.string().optional() })
    .optional(),
});

/** How the PMS is to answer from now on. */
export type Behaviour = z.infer<typeof behaviourShape>;

/** A message, as far as a behaviour may be limited to it. */
interface Matched {
  readonly messageType: string;
  readonly reference: string | null;
}

const right: Behaviour = { mode: 'right' };

/** Remembers how the PMS was told to answer, and for how many more messages. */
export class BehaviourSwitch {
  #current: Behaviour = right;

  /** What holds now, with the `times` that are left. */
  get current(): Behaviour {
    return this.#current;
  }

  /** Replaces whatever was told before. */
  set(behaviour: Behaviour): void {
    this.#current = behaviour;
  }

  /** How this message is answered, which uses up one time. */
  next(message: Matched): Behaviour {
    const behaviour = this.#current;
    const { times, matching = {} } = behaviour;
    if ((matching.messageType ?? message.messageType) !== message.messageType) return right;
    if ((matching.reference ?? message.reference) !== message.reference) return right;
    if (times !== undefined) {
      this.#current = times > 1 ? { ...behaviour, times: times - 1 } : right;
    }
    return behaviour;
  }
}
