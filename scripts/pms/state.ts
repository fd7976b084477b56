import { BehaviourSwitch } from './behaviour.ts';
import { Hotel } from './hotel.ts';
import type { Counts, Received } from './received.ts';

/** Everything that a running PMS remembers. */
export class PmsState {
  readonly behaviour = new BehaviourSwitch();
  hotel = new Hotel();
  messages: Received[] = [];
  unreadable = 0;
  trapped = 0;

  /** Forgets what it got and all that came of it; what it was told to offer and how to behave stays. */
  forget(): void {
    const { catalogue } = this.hotel;
    this.hotel = new Hotel();
    this.hotel.catalogue = catalogue;
    this.messages = [];
    this.unreadable = 0;
    this.trapped = 0;
  }

  /** What was counted so far. */
  counts(): Counts {
    return {
      duplicates: this.messages.filter(({ duplicate }) => duplicate).length,
      unknownReferences: this.hotel.unknownReferences,
      unreadable: this.unreadable,
      trapped: this.trapped,
    };
  }
}
