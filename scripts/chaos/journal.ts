import { problem } from './answers.ts';

/** The operations of the load. */
export type OperationName =
  | 'charge'
  | 'schedule'
  | 'hold'
  | 'capture'
  | 'release'
  | 'refund'
  | 'cancel-schedule'
  | 'cancel-schedules'
  | 'cancel-booking';

/** What came back from one sending of a request. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One request of the load. However often it is sent, it is the same request under the same key. */
export interface Sent {
  readonly operation: OperationName;
  readonly reference: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Null for what is no money operation: a booking is saved without a key. */
  readonly key: string | null;
  /** Every answer that arrived, in order. */
  readonly answers: Answer[];
  /** How many sendings no answer arrived to. */
  cutOff: number;
}

/** Everything that was asked for and answered during a run. */
export class Journal {
  readonly requests: Sent[] = [];

  /** Notes a request that is about to be sent for the first time. */
  open(request: Omit<Sent, 'answers' | 'cutOff'>): Sent {
    const sent = { ...request, answers: [], cutOff: 0 };
    this.requests.push(sent);
    return sent;
  }

  /** How many requests there are, how many of them were answered, and how many sendings were cut off. */
  counts(): { requests: number; acknowledged: number; cutOff: number } {
    return {
      requests: this.requests.length,
      acknowledged: this.requests.filter(({ answers }) => answers.length > 0).length,
      cutOff: this.requests.reduce((sum, { cutOff }) => sum + cutOff, 0),
    };
  }
}

/**
 * Whether an answer is the operation's last word. `busy` and `internal_error` ask for another sending, an unknown
 * outcome gives way to the resolved one, and refusals of faulty fields are not kept (decisions: section 4).
 */
function isLasting(answer: Answer): boolean {
  const { status } = answer;
  return status !== 500 && status !== 503 && status !== 504 && !refusesFields(answer);
}

/** Whether an answer says that fields were faulty, such as a time that had passed. */
export function refusesFields({ body }: Answer): boolean {
  return problem.safeParse(body).data?.errors !== undefined;
}

/** The first answer that was the operation's last word. */
export function lastingAnswer({ answers }: Sent): Answer | undefined {
  return answers.find(isLasting);
}
