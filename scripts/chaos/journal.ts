import { paid, problem, uncertain } from './answers.ts';

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

/** The answer to one attempt of a request. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One request of the load. Every attempt has the same body and key. */
export interface Sent {
  readonly operation: OperationName;
  readonly reference: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Null for requests that move no money, such as saving a booking. */
  readonly key: string | null;
  /** Every answer that arrived, in order. */
  readonly answers: Answer[];
  /** The attempts without an answer. */
  cutOff: number;
}

/** All requests and answers of a run. */
export class Journal {
  readonly requests: Sent[] = [];

  /** Records a request before its first attempt. */
  open(request: Omit<Sent, 'answers' | 'cutOff'>): Sent {
    const sent = { ...request, answers: [], cutOff: 0 };
    this.requests.push(sent);
    return sent;
  }

  /** The transactions of a booking whose end a request asked for. */
  calledOff(reference: string): ReadonlySet<number> {
    const asked = this.requests.filter(
      (it) => it.operation === 'release' || it.operation === 'cancel-schedule',
    );
    return new Set(
      asked.filter((it) => it.reference === reference).map(({ body }) => Number(body['chargeId'])),
    );
  }

  /** The holds that a request was told were made. */
  holdsMade(): ReadonlySet<number> {
    const holds = this.requests.filter(({ operation }) => operation === 'hold');
    const answers = holds.map(lastingAnswer).filter((answer) => answer?.status === 200);
    return new Set(answers.flatMap((it) => paid.safeParse(it?.body).data?.transaction.id ?? []));
  }

  /** The number of requests, of answered requests, and of attempts without an answer. */
  counts(): { requests: number; acknowledged: number; cutOff: number } {
    return {
      requests: this.requests.length,
      acknowledged: this.requests.filter(({ answers }) => answers.length > 0).length,
      cutOff: this.requests.reduce((sum, { cutOff }) => sum + cutOff, 0),
    };
  }
}

/**
 * Whether an answer is final. `busy` and `internal_error` ask for a retry, a known outcome replaces an unknown one,
 * and the service does not store answers about faulty fields (interface: Idempotency).
 */
function isLasting(answer: Answer): boolean {
  const { status } = answer;
  if (status === 500 || status === 503 || status === 504) return false;
  return !refusesFields(answer) && !isUncertain(answer);
}

/** Whether an answer says only what may have been taken. */
export function isUncertain({ body }: Answer): boolean {
  return uncertain.safeParse(body).success;
}

/** Whether an answer reports faulty fields, such as a time in the past. */
export function refusesFields({ body }: Answer): boolean {
  return problem.safeParse(body).data?.errors !== undefined;
}

/** The first final answer. */
export function lastingAnswer({ answers }: Sent): Answer | undefined {
  return answers.find(isLasting);
}
