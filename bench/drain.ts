import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { LocalPms } from './localPms.ts';

/** How many messages wait when the PMS comes, over how many bookings. */
const BOOKINGS = 100;
const CHANGES_EACH = 10;

/** How many messages the dispatcher has under way at once; the bare posts have as many. */
const AT_ONCE = 8;

/** How long draining may take. */
const DRAINED_MS = 60_000;

/** One draining of the outbox beside the same number of bare posts. */
export interface Drain {
  readonly dispatchedPerSecond: number;
  readonly barePerSecond: number;
  /** Messages that did not come exactly once and in order. */
  readonly faults: readonly string[];
}

/** Queues messages while there is no PMS; once it is there, measures how fast they come, and bare posts after them. */
export async function measureDrain(
  api: Api,
  pms: LocalPms,
  run: string,
  letIn: () => Promise<void>,
): Promise<Drain> {
  const references = Array.from({ length: BOOKINGS }, (_, index) => `DRAIN-${run}-${index}`);
  await Promise.all(references.map((reference) => change(api, reference)));
  const wanted = BOOKINGS * CHANGES_EACH;
  pms.received.length = 0;
  await letIn();
  const startedMs = performance.now();
  while (pms.received.length < wanted && performance.now() < startedMs + DRAINED_MS) await sleep(5);
  const dispatchedPerSecond = (wanted * 1_000) / (performance.now() - startedMs);
  const faults = faultsOf(pms, wanted);
  const barePerSecond = await postBare(pms, wanted);
  return { dispatchedPerSecond, barePerSecond, faults };
}

async function change(api: Api, reference: string): Promise<void> {
  for (let time = 0; time < CHANGES_EACH; time += 1) {
    await api.post('/booking/v1/create/manage-payments', {
      reference,
      arrival: '14-02-2030',
      departure: '17-02-2030',
      status: 'booked',
      email: 'guest@example.com',
      lastName: 'Nguyen',
      totalCost: 980.5,
      firstNightCost: 300,
    });
  }
}

/** The ids of messages grow with time, so each booking's must come in their order. */
function faultsOf({ received }: LocalPms, wanted: number): string[] {
  const faults: string[] = [];
  const ids = new Set(received.map(({ messageId }) => messageId));
  if (ids.size !== wanted) faults.push(`${ids.size} of ${wanted} messages came`);
  if (received.length !== ids.size) faults.push(`${received.length - ids.size} came twice`);
  const last = new Map<string, string>();
  for (const { messageId, reference } of received) {
    if (messageId <= (last.get(reference) ?? '')) faults.push(`${reference} is out of order`);
    last.set(reference, messageId);
  }
  return faults;
}

async function postBare({ url, received }: LocalPms, count: number): Promise<number> {
  received.length = 0;
  const body = JSON.stringify({ MessageID: 'bare', BookingData: { Reference: 'bare' } });
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let sent = 0; sent < count / AT_ONCE; sent += 1) {
        const response = await fetch(url, { method: 'POST', body });
        await response.text();
      }
    }),
  );
  return (count * 1_000) / (performance.now() - startedMs);
}
