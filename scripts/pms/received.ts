import type { Mode } from './behaviour.ts';
import type { Members } from './members.ts';

/** A received message, accepted or not. */
export interface Received {
  readonly messageId: string;
  readonly messageType: string;
  readonly timeStamp: string;
  readonly format: 'JSON' | 'XML';
  /** The namespace of an XML message. */
  readonly namespace: string | null;
  readonly contentType: string;
  readonly contentLength: number;
  /** Its `BookingData`, `CancellationData` or `TransactionData`. */
  readonly data: Members | null;
  readonly reference: string | null;
  readonly receivedAt: string;
  /** Whether the PMS had accepted a message with this MessageID before. */
  readonly duplicate: boolean;
  /** The mode of the answer. */
  readonly answered: Mode;
  /** The faults that a strict PMS finds; null for none. */
  readonly refusal: string | null;
  /** The accepted bytes of a `huge` answer, growing while the PMS sends it; null for all other answers. */
  bytesTaken: number | null;
}

/** Further counts. */
export interface Counts {
  readonly duplicates: number;
  /** Modifications and cancellations of unknown bookings. */
  readonly unknownReferences: number;
  /** Unreadable requests. */
  readonly unreadable: number;
  /** Requests to the target of the `redirect` behaviour. */
  readonly trapped: number;
}
