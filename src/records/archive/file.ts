import { DatabaseUnavailable } from '../../platform/db/errors.ts';
import type { Trace } from '../../platform/trace.ts';
import type { ArchivedRows } from './rows.ts';

/** A file of the archive: the rows of one booking, as JSON, compressed. Never change its meaning: give it another `version`. */
interface ArchiveFile {
  readonly version: 1;
  readonly rows: ArchivedRows;
}

export interface FileWork {
  readonly bucket: R2Bucket;
  readonly trace: Trace;
}

export async function writeFile(
  { bucket, trace }: FileWork,
  key: string,
  rows: ArchivedRows,
): Promise<void> {
  const text = JSON.stringify({ version: 1, rows } satisfies ArchiveFile);
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(packed).arrayBuffer();
  await trace.span('r2.put', () =>
    bucket.put(key, bytes, { httpMetadata: { contentType: 'application/gzip' } }),
  );
}

/**
 * Reads the file of a booking. Throws {@link DatabaseUnavailable} where R2 does not answer; another error if the file is not
 * there, or of a version that this service does not know.
 */
export async function readFile({ bucket, trace }: FileWork, key: string): Promise<ArchivedRows> {
  const bytes = await trace
    .span('r2.read', async () => (await bucket.get(key))?.arrayBuffer())
    .catch(noAnswer);
  if (!bytes) throw new Error('a file of the archive is missing');
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const file = (await new Response(unpacked).json()) as ArchiveFile;
  if (file.version !== 1) throw new Error('a file of the archive has an unknown version');
  return file.rows;
}

/** Deletes the file of a booking. Throws {@link DatabaseUnavailable} where R2 does not answer. */
export async function deleteFile({ bucket, trace }: FileWork, key: string): Promise<void> {
  await trace.span('r2.delete', () => bucket.delete(key)).catch(noAnswer);
}

function noAnswer(error: unknown): never {
  throw new DatabaseUnavailable(error, 'R2 gave no answer');
}
