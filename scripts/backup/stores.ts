/** Properties in databases that D1 does not export, those in objects: they live in D1 while it is exported (operate: A copy of your own). */
import { setTimeout as sleep } from 'node:timers/promises';
import { Administration, type Credentials, type Move } from '../setup/service.ts';

/** A deployment's service, and an administrator of it. */
export interface Administered {
  readonly address: string;
  readonly administrator: Credentials;
}

/** A property, and the name of the database where it lives. */
export interface Housed {
  readonly property: string;
  readonly home: string;
}

/** How often to look whether a move has ended. */
const LOOK_MS = 1_000;

/**
 * Does something while these properties live in one of the `bindings`, and moves them back, whatever it came to. Where that
 * is cut off, they stay where they are: a home like any other.
 */
export async function whileInD1<Done>(
  service: Administered,
  stranded: readonly Housed[],
  bindings: readonly string[],
  work: { readonly act: () => Promise<Done>; readonly progress: (line: string) => void },
): Promise<Done> {
  const { act, progress } = work;
  const away: Housed[] = [];
  try {
    for (const one of stranded) {
      const to = await roomiest(service, bindings);
      progress(`Moving ${one.property} from ${one.home} to ${to}`);
      await moved(service, one.property, to);
      away.push(one);
    }
    return await act();
  } finally {
    for (const { home, property } of away) {
      progress(`Moving ${property} back to ${home}`);
      await moved(service, property, home);
    }
  }
}

/** Signs in for each call: moving a large property takes longer than a token lives. */
function signedIn({ address, administrator }: Administered): Promise<Administration> {
  return Administration.signIn(address, administrator);
}

/** The binding with the fewest bytes. */
async function roomiest(service: Administered, bindings: readonly string[]): Promise<string> {
  const all = await (await signedIn(service)).databases();
  const [least] = all
    .filter(({ bytes, name }) => bytes !== null && bindings.includes(name))
    .toSorted((one, other) => (one.bytes ?? 0) - (other.bytes ?? 0));
  if (!least) throw new Error('No database of D1 answers.');
  return least.name;
}

/** Moves a property, and waits until it is there. */
async function moved(service: Administered, property: string, to: string): Promise<void> {
  const { moveId } = await (await signedIn(service)).move(property, to);
  let move: Move;
  do {
    await sleep(LOOK_MS);
    move = await (await signedIn(service)).moveOf(moveId);
  } while (move.endedAt === null);
  if (move.status === 'moved') return;
  throw new Error(`${property} did not move to ${to}: ${move.failure}`);
}
