import { firstCatalogue } from './catalogue.ts';
import { dataIn, type Envelope, referenceIn } from './envelope.ts';
import { type Members, textIn } from './members.ts';

/** A booking in the PMS. */
export interface KnownBooking {
  readonly reference: string;
  readonly confirmationNumber: string;
  readonly state: 'booked' | 'cancelled';
  /** The newest `BookingData`; null if the PMS only got a cancellation. */
  readonly data: Members | null;
}

/** One less than the first confirmation number. */
const BEFORE_THE_FIRST = 1_000;

/** The PMS's records: the results of accepted messages. */
export class Hotel {
  readonly name = 'Demo Property';
  catalogue = firstCatalogue;
  /** The modifications and cancellations of unknown bookings. */
  unknownReferences = 0;
  readonly bookings = new Map<string, KnownBooking>();
  readonly transactions: Members[] = [];
  /** The acknowledgement of each accepted message, by MessageID. */
  readonly #acknowledged = new Map<string, Members>();
  #numbered = BEFORE_THE_FIRST;

  /** Whether the PMS has accepted a message with this MessageID. */
  hasTaken(messageId: string): boolean {
    return this.#acknowledged.has(messageId);
  }

  /** Applies a valid message once. Returns its acknowledgement, the same every time. */
  take(envelope: Envelope): Members {
    const messageId = textIn(envelope.members, 'MessageID');
    const before = this.#acknowledged.get(messageId);
    if (before) return before;
    const acknowledgement = this.#apply(envelope);
    this.#acknowledged.set(messageId, acknowledgement);
    return acknowledgement;
  }

  #apply(envelope: Envelope): Members {
    const data = dataIn(envelope);
    switch (textIn(envelope.members, 'MessageType')) {
      case 'GetPropertyInfo':
        return { PropertyData: { PropertyName: this.name, ...this.catalogue } };
      case 'PushBooking':
        return { PMSConfirmationNumber: this.#book(data) };
      case 'PushModification':
        this.#countUnknown(data);
        return { PMSConfirmationNumber: this.#book(data) };
      case 'PushCancellation':
        this.#countUnknown(data);
        this.#cancel(data);
        return {};
      case 'PushTransaction':
        if (data) this.transactions.push(data);
        return {};
      default:
        return {};
    }
  }

  #book(data: Members | null): string {
    const reference = referenceIn(data) ?? '';
    const confirmationNumber = this.#confirmationNumber(data);
    this.bookings.set(reference, { reference, confirmationNumber, state: 'booked', data });
    return confirmationNumber;
  }

  #cancel(data: Members | null): void {
    const reference = referenceIn(data) ?? '';
    const known = this.bookings.get(reference)?.data ?? null;
    const confirmationNumber = this.#confirmationNumber(data);
    this.bookings.set(reference, {
      reference,
      confirmationNumber,
      state: 'cancelled',
      data: known,
    });
  }

  /** The confirmation number from before, else the message's, else a new one. */
  #confirmationNumber(data: Members | null): string {
    const known = this.bookings.get(referenceIn(data) ?? '')?.confirmationNumber;
    const brought = textIn(data, 'PMSConfirmationNumber');
    if (known !== undefined || brought !== '') return known ?? brought;
    this.#numbered += 1;
    return `PMS-${this.#numbered}`;
  }

  #countUnknown(data: Members | null): void {
    if (!this.bookings.has(referenceIn(data) ?? '')) this.unknownReferences += 1;
  }
}
