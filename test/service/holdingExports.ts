/**
 * The service, whose exports hold for good once a part of their file is stored, and more is written: so they can be killed in
 * the middle. `/held` says whether one holds.
 */
import { ExportWriter } from '../../src/exports/exportWriter.ts';
import service from '../../src/index.ts';

// biome-ignore lint/performance/noBarrelFile: a Worker's entry has to export the classes of its objects.
// biome-ignore lint/performance/noReExportAll: all of them, whichever there are.
export * from '../../src/index.ts';

/** A part has 5 MiB. */
const HELD_AT_BYTES = 6 * 2 ** 20;

let held = false;

const step = ExportWriter.prototype.step;

ExportWriter.prototype.step = async function orHold(this: ExportWriter) {
  if (this.progress.bytes < HELD_AT_BYTES) return step.call(this);
  await this.flush();
  held = true;
  return new Promise<never>(() => undefined);
};

export default {
  ...service,
  fetch: (request, env, context) =>
    new URL(request.url).pathname === '/held'
      ? Response.json({ held })
      : service.fetch(request, env, context),
} satisfies typeof service;
