import { z } from 'zod';

/** The modes of the PMS's answers. */
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

/** A mode of answering. */
export type Mode = (typeof modes)[number];

/** How the PMS is to answer from now on. */
export const behaviourShape = z.strictObject({
  mode: z.enum(modes),
  /** The number of messages, after which the PMS answers correctly again. Default: no limit. */
  times: z.int().min(1).optional(),
  /** Sent as Retry-After with a 429, 500 or 503. */
  retryAfterSeconds: z.int().min(0).optional(),
  /** Applies to messages with all of these members. The PMS answers others correctly. */
  matching: z
    .strictObject({ messageType: z.string().optional(), reference: z.string().optional() })
    .optional(),
});

/** How the PMS is to answer from now on. */
export type Behaviour = z.infer<typeof behaviourShape>;

/** The members of a message that can limit a behaviour. */
interface Matched {
  readonly messageType: string;
  readonly reference: string | null;
}

const right: Behaviour = { mode: 'right' };

/** The current behaviour of the PMS, and for how many more messages it applies. */
export class BehaviourSwitch {
  #current: Behaviour = right;

  /** The current behaviour, with the remaining `times`. */
  get current(): Behaviour {
    return this.#current;
  }

  /** Replaces the behaviour. */
  set(behaviour: Behaviour): void {
    this.#current = behaviour;
  }

  /** The behaviour for this message. Uses up one of its `times`. */
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
