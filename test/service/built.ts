/** Before the first test that may start the service: what each start of {@link startQuickly} needs, made once a run. */
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import type { TestProject } from 'vitest/node';
import { localWorker } from '../../scripts/localWorker.ts';
import { prepareState } from '../../scripts/prepare.ts';
import { scratchFolder } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Worker, bundled as for a deployment, and a state folder that is migrated and seeded. */
    readonly built: { readonly worker: V4WorkerOptions; readonly state: string };
  }
}

export default async function build(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(scratchFolder(), 'built-'));
  const state = path.join(folder, 'state');
  const [worker] = await Promise.all([localWorker(), prepareState(state)]);
  project.provide('built', { worker, state });
  return () => rmSync(folder, { recursive: true, force: true });
}
