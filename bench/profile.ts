/** V8's record of what ran when. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** Which node ran at each sample. */
  readonly samples: readonly number[];
  /** How long each sample stands for, in microseconds. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
}

/** A function as V8 names it. */
export interface Frame {
  readonly functionName: string;
  /** Empty for what V8 and the runtime do by themselves. */
  readonly url: string;
  /** Counted from 0. */
  readonly lineNumber: number;
}

/** Each function of a profile with the microseconds that it ran itself. */
export function timesOf({ nodes, samples, timeDeltas }: Profile): { frame: Frame; us: number }[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  return samples.flatMap((id, at) => {
    const frame = frames.get(id);
    return frame ? [{ frame, us: timeDeltas[at] ?? 0 }] : [];
  });
}

/** Whether nothing ran: what was waited for is not the processor's time. */
export function isIdle({ functionName, url }: Frame): boolean {
  return url === '' && functionName === '(idle)';
}
