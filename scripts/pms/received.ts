import type { Mode } from './behaviour.ts';
import type { Members } from './members.ts';

/** A message that the PMS got, whatever it answered. */
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
  /** Whether a message with this MessageID had been taken before. */
  readonly duplicate: boolean;
  /** How it was answered. */
  readonly answered: Mode;
  /** What a strict PMS finds wrong with it; null when nothing is. */
  readonly refusal: string | null;
  /** How much of a `huge` answer the sender took; null for all others. It grows while the answer is sent. */
  bytesTaken: number | null;
}

/** What was counted besides the messages. */
export interface Counts {
  readonly duplicates: number;
  /** Modifications and cancellations of bookings that the PMS had never heard of. */
  readonly unknownReferences: number;
  /** Requests that were no message at all. */
  readonly unreadable: number;
  /** Requests to the address that the `redirect` behaviour points at. */
  readonly trapped: number;
}
