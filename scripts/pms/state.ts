import { BehaviourSwitch } from './behaviour.ts';
import { Hotel } from './hotel.ts';
import type { Counts, Received } from './received.ts';

/** The state of a running PMS. */
export class PmsState {
  readonly behaviour = new BehaviourSwitch();
  hotel = new Hotel();
  messages: Received[] = [];
  unreadable = 0;
  trapped = 0;

  /** Deletes all messages and records. Keeps the rooms, the rates and the behaviour. */
  forget(): void {
    const { catalogue } = this.hotel;
    this.hotel = new Hotel();
    this.hotel.catalogue = catalogue;
    this.messages = [];
    this.unreadable = 0;
    this.trapped = 0;
  }

  /** The counts so far. */
  counts(): Counts {
    return {
      duplicates: this.messages.filter(({ duplicate }) => duplicate).length,
      unknownReferences: this.hotel.unknownReferences,
      unreadable: this.unreadable,
      trapped: this.trapped,
    };
  }
}
