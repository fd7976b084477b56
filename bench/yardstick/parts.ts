import { PART_BYTES } from '../../src/exports/rules/partBuffer.ts';

/** The size of a file. */
export interface FileWanted {
  readonly bytes: number;
}

/** Writes a file of this size to R2 in parts, reads it once, and deletes it. No rows, no digest. */
export async function writeAndRead(bucket: R2Bucket, { bytes }: FileWanted): Promise<void> {
  const upload = await bucket.createMultipartUpload('yardstick');
  const part = new Uint8Array(PART_BYTES);
  const uploaded: R2UploadedPart[] = [];
  for (let offset = 0; offset < bytes; offset += PART_BYTES) {
    const content = part.subarray(0, Math.min(PART_BYTES, bytes - offset));
    uploaded.push(await upload.uploadPart(uploaded.length + 1, content));
  }
  await upload.complete(uploaded);
  await readAll(bucket, bytes);
  await bucket.delete('yardstick');
}

async function readAll(bucket: R2Bucket, bytes: number): Promise<void> {
  let memory = new ArrayBuffer(PART_BYTES);
  for (let offset = 0; offset < bytes; offset += PART_BYTES) {
    const length = Math.min(PART_BYTES, bytes - offset);
    const object = await bucket.get('yardstick', { range: { offset, length } });
    const reader = object?.body.getReader({ mode: 'byob' });
    const read = await reader?.readAtLeast(length, new Uint8Array(memory, 0, length));
    if (read?.value?.length !== length) throw new Error('The file was not read completely.');
    memory = read.value.buffer;
  }
}
