import { PmsDispatcher } from '../../../src/pms/outbox/object.ts';

/** Leaves every message for a PMS in the outbox, where the stories count them, until the returned function undoes it. */
export function holdMessages(): () => void {
  const { prototype } = PmsDispatcher;
  const kept = Object.getOwnPropertyDescriptor(prototype, 'notify');
  prototype.notify = () => Promise.resolve();
  return () => {
    if (kept) Object.defineProperty(prototype, 'notify', kept);
  };
}
