import { PmsDispatcher } from '../../../src/pms/outbox/object.ts';
import { SandboxAcquirer } from '../../../src/sandbox/acquirer/acquirer.ts';

/**
 * Leaves every message for a PMS in the outbox, where the stories count them, and every piece of news at the acquirer,
 * whose stories tell it themselves, until the returned function undoes it.
 */
export function holdNews(): () => void {
  const dispatcher = PmsDispatcher.prototype;
  const acquirer = SandboxAcquirer.prototype;
  const kept = { notify: dispatcher.notify, alarm: acquirer.alarm };
  dispatcher.notify = () => Promise.resolve();
  acquirer.alarm = () => Promise.resolve();
  return () => {
    dispatcher.notify = kept.notify;
    acquirer.alarm = kept.alarm;
  };
}
