/** What a file of tests may not leave to the next one of its process. */
import { vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { dispatcherClock } from '../../src/delivery/clock.ts';
import { Coalescing } from '../../src/delivery/coalesce.ts';
import { Dispatcher } from '../../src/delivery/object.ts';
import { Dispatchers } from '../../src/delivery/stub.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import { ExportObject } from '../../src/exports/object.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { MailDispatcher } from '../../src/mails/object.ts';
import { PropertyMover } from '../../src/moves/object.ts';
import { Trace } from '../../src/platform/trace.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import { PropertyClockObject } from '../../src/sandbox/clock/object.ts';
import { forgetNotifications } from './notifications.ts';

/** What tests replace methods of, by what a failure calls it. */
const REPLACED: Readonly<Record<string, object>> = {
  globalThis,
  crypto,
  Math,
  dispatcherClock,
  ...Object.fromEntries(
    [
      BookingObject,
      Coalescing,
      Dispatcher,
      Dispatchers,
      EventDispatcher,
      ExportObject,
      MailDispatcher,
      PmsDispatcher,
      PropertyClockObject,
      PropertyMover,
      SandboxAcquirer,
      SandboxGateway,
      Trace,
    ].map(({ name, prototype }) => [name, prototype]),
  ),
};

/** Their functions as the process began: a method that is inherited is none of its own. */
const originals = Object.entries(REPLACED).map(([name, owner]) => ({
  name,
  owner,
  functions: functionsOf(owner),
}));

function functionsOf(owner: object): ReadonlyMap<string, unknown> {
  const all = Object.entries(Object.getOwnPropertyDescriptors(owner));
  return new Map(
    all.flatMap(([name, { value }]) => (typeof value === 'function' ? [[name, value]] : [])),
  );
}

/** Names what is not as it was when the process began, and puts it back, so that one file alone fails for it. */
export function leaks(): string[] {
  forgetNotifications();
  const left: string[] = [];
  if (vi.isFakeTimers()) {
    left.push('a clock that stands');
    vi.useRealTimers();
  }
  for (const { functions, name, owner } of originals) {
    const now = functionsOf(owner);
    for (const key of new Set([...functions.keys(), ...now.keys()])) {
      if (functions.get(key) === now.get(key)) continue;
      if (!functions.has(key) && owner === globalThis) continue;
      left.push(`${name}.${key}`);
      if (functions.has(key)) Reflect.set(owner, key, functions.get(key));
      else Reflect.deleteProperty(owner, key);
    }
  }
  return left;
}
