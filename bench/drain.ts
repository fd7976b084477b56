import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { LocalPms } from './localPms.ts';

/** The number of queued messages, and of their bookings. */
const BOOKINGS = 100;
const CHANGES_EACH = 10;

/** The dispatcher's concurrent messages, and the concurrent bare posts. */
const AT_ONCE = 8;

/** The longest wait for the delivery. */
const DRAINED_MS = 60_000;

/** One delivery of a queue, and the same number of bare posts. */
export interface Drain {
  readonly dispatchedPerSecond: number;
  readonly barePerSecond: number;
  /** Messages that did not arrive exactly once and in order. */
  readonly faults: readonly string[];
}

/** Queues messages without a PMS, then measures their delivery to one, then bare posts. */
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

/** Checks the deliveries. Ids of messages grow with time, so those of a booking must arrive in order. */
function faultsOf({ received }: LocalPms, wanted: number): string[] {
  const faults: string[] = [];
  const ids = new Set(received.map(({ messageId }) => messageId));
  if (ids.size !== wanted) faults.push(`${ids.size} of ${wanted} messages arrived`);
  if (received.length !== ids.size) faults.push(`${received.length - ids.size} arrived twice`);
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
