import { readFileSync } from 'node:fs';
import { openInspector } from './inspector.ts';
import { measure } from './load.ts';
import { type Frame, isIdle, type Profile, timesOf } from './profile.ts';
import type { Runtime } from './runtime.ts';
import type { Target, TargetName } from './targets.ts';

/** The length of each profile. */
const SECONDS = 4;

/** Concurrent connections during a profile. */
const CONNECTIONS = 4;

/** The smallest share with its own line. */
const LEAST_SHARE = 0.01;

const NAME_WIDTH = 34;

/** The shares of processor time by owner of the code, for one target's requests. */
export interface Whereabouts {
  readonly target: TargetName;
  readonly shares: ReadonlyMap<string, number>;
}

/** Profiles the service's isolate during a target's requests. */
export async function findWhereabouts(
  target: Target,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<Whereabouts> {
  if (runtime.inspector === null) throw new Error('the runtime was started without an inspector');
  const inspector = await openInspector(runtime.inspector);
  try {
    await inspector.send('Profiler.enable');
    await inspector.send('Profiler.start');
    const { errors } = await measure(target, CONNECTIONS, SECONDS, signal);
    const { profile } = await inspector.send<{ profile: Profile }>('Profiler.stop');
    if (errors[0] !== undefined) throw new Error(`${target.name}: ${errors[0]}`);
    return { target: target.name, shares: sharesOf(profile, ownersOf(runtime.serviceBundle)) };
  } finally {
    inspector.close();
  }
}

/** The shares of all targets side by side, the largest first. */
export function whereaboutsReport(found: readonly Whereabouts[]): string {
  const owners = [...new Set(found.flatMap(({ shares }) => [...shares.keys()]))];
  const largest = (owner: string) => Math.max(...found.map(({ shares }) => shares.get(owner) ?? 0));
  return [
    'Processor time by owner of the code (shares of the time without waiting)',
    ''.padEnd(NAME_WIDTH) + columns(found.map(({ target }) => target)),
    ...owners
      .filter((owner) => largest(owner) >= LEAST_SHARE)
      .toSorted((one, other) => largest(other) - largest(one))
      .map((owner) => {
        const parts = found.map(({ shares }) => `${Math.round((shares.get(owner) ?? 0) * 100)} %`);
        return owner.padEnd(NAME_WIDTH) + columns(parts);
      }),
  ].join('\n');
}

function columns(texts: readonly string[]): string {
  return texts.map((text) => text.padStart(9)).join('');
}

function sharesOf(profile: Profile, ownerOf: (frame: Frame) => string): Map<string, number> {
  const busy = timesOf(profile).filter(({ frame }) => !isIdle(frame));
  const totalUs = busy.reduce((sum, { us }) => sum + us, 0);
  const shares = new Map<string, number>();
  for (const { frame, us } of busy) {
    const owner = ownerOf(frame);
    shares.set(owner, (shares.get(owner) ?? 0) + us / totalUs);
  }
  return shares;
}

/** Finds the owner of a function. In a bundle, each module begins with a comment with its path. */
function ownersOf(bundle: string): (frame: Frame) => string {
  const modules = readFileSync(bundle, 'utf8')
    .split('\n')
    .flatMap((text, line) => {
      const file = /^\/\/ (\S+\.[cm]?[jt]sx?)$/.exec(text)?.[1];
      return file === undefined ? [] : [{ line, owner: ownerOfFile(file) }];
    });
  return ({ functionName, lineNumber, url }) => {
    if (url.startsWith('cloudflare-internal:')) return `platform: ${url.split(':')[1]}`;
    if (functionName === '(garbage collector)') return 'garbage collector';
    if (url === '' || !url.endsWith('index.js')) return 'platform: everything else';
    return modules.findLast(({ line }) => line <= lineNumber)?.owner ?? 'bundler';
  };
}

function ownerOfFile(file: string): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  return library ?? 'this service';
}
