import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { objectNamed } from '../platform/objects.ts';
import type { Trace } from '../platform/trace.ts';
import type { ExportObject } from './object.ts';

/** Notifies a run's object to write its file. A failure is only logged, because the sweep repeats the notification. */
export async function notifyExporter(env: Env, trace: Trace, runId: string): Promise<void> {
  const exporters = env.EXPORTER as DurableObjectNamespace<ExportObject>;
  try {
    await trace.span('object.export', () => objectNamed(env, exporters, runId).begin(runId));
  } catch (error) {
    logError('notify_failed', error, { runId });
  }
}
