import { PmsDispatcher } from '../../../src/pms/outbox/object.ts';
import { SandboxAcquirer } from '../../../src/sandbox/acquirer/acquirer.ts';

/**
 * Leaves every message for a PMS in the outbox, where the stories count them, and every piece of news at the acquirer,
 * whose stories tell it themselves, until the returned function undoes it. (No spies: they would remember every call.)
 */
export function holdNews(): () => void {
  const dispatcher = PmsDispatcher.prototype;
  const acquirer = SandboxAcquirer.prototype;
  const { alarm } = acquirer;
  dispatcher.notify = () => Promise.resolve();
  acquirer.alarm = () => Promise.resolve();
  return () => {
    // Inherited: kept and put back, it would stay a method of this class and hide the inherited one from later files.
    Reflect.deleteProperty(dispatcher, 'notify');
    acquirer.alarm = alarm;
  };
}
