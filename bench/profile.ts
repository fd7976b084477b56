/** A CPU profile of V8. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** The node of each sample. */
  readonly samples: readonly number[];
  /** The time of each sample, in microseconds. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
}

/** A function as V8 names it. */
export interface Frame {
  readonly functionName: string;
  /** Empty for V8's and the runtime's own work. */
  readonly url: string;
  /** Counted from 0. */
  readonly lineNumber: number;
}

/** The functions of a profile, each with its own microseconds, without its callees. */
export function timesOf({ nodes, samples, timeDeltas }: Profile): { frame: Frame; us: number }[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  return samples.flatMap((id, at) => {
    const frame = frames.get(id);
    return frame ? [{ frame, us: timeDeltas[at] ?? 0 }] : [];
  });
}

/** Whether the processor was idle. */
export function isIdle({ functionName, url }: Frame): boolean {
  return url === '' && functionName === '(idle)';
}
