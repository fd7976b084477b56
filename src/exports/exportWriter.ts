import { hex } from '../core/ids.ts';
import { othersTurn } from '../platform/othersTurn.ts';
import type { ExportRunRow } from '../schema/exportTables.ts';
import { deleteCopies, readPageOfAll } from './copies.ts';
import { type FileWork, isRewriting, readRewritten } from './rewrite.ts';
import { endOf, linesStartedBy, textOf } from './rules/lines.ts';
import { type Cursor, type Page, type PageRow, START } from './rules/pages.ts';
import { PART_BYTES, PartBuffer, partMemory } from './rules/partBuffer.ts';
import { endRun, forgetMoves, publishFile, selectRun, takeRewritten } from './store.ts';

/** How long the writer works before it yields to other requests. */
const YIELD_AFTER_MS = 100;

/**
 * The state of a file, stored after each part. After a crash, a new writer continues from it and repeats everything
 * since.
 */
export interface Checkpoint {
  /**
   * `rows`: the writer reads rows and uploads parts. `completing`: R2 has every part and joins them. `written`: R2 has
   * the file; its digest comes next.
   */
  readonly stage: 'rows' | 'completing' | 'written';
  /** Null until the first part is full. */
  readonly uploadId: string | null;
  /** How many parts R2 has. */
  readonly parts: number;
  readonly cursor: Cursor;
  /** The customer whose line is not ended yet; null if none. */
  readonly openCustomer: number | null;
  /** Lines started. */
  readonly rows: number;
  readonly bytes: number;
  /** The start of the next part: the rest of a row that did not fit into the last one. */
  readonly carried: Uint8Array;
}

export const START_OF_FILE: Checkpoint = {
  stage: 'rows',
  uploadId: null,
  parts: 0,
  cursor: START,
  openCustomer: null,
  rows: 0,
  bytes: 0,
  carried: new Uint8Array(),
};

export interface WriterWork extends FileWork {
  readonly parts: PartList;
}

export interface PartList {
  /** Stores a checkpoint together with the part uploaded last, in one write. */
  keep(checkpoint: Checkpoint, part: R2UploadedPart | null): Promise<void>;
  /** Every stored part, in order. */
  all(): Promise<R2UploadedPart[]>;
}

/**
 * Writes the file of one run in steps, starting at a checkpoint. It fills the next part while it uploads the last one.
 * After an error, discard the writer and create another one from the stored checkpoint.
 */
export class ExportWriter {
  readonly #work: WriterWork;
  readonly #run: ExportRunRow;
  #part: PartBuffer;
  /** The upload of the previous part. */
  #uploading: Promise<void> = Promise.resolve();
  /** The stored checkpoint plus the progress in memory. */
  #written: Checkpoint;
  /** The share of the rows read so far, from 0 to 1. */
  #fractionRead = 0;
  #yieldAtMs = 0;

  constructor(work: WriterWork, run: ExportRunRow, checkpoint: Checkpoint) {
    this.#work = work;
    this.#run = run;
    this.#written = checkpoint;
    this.#part = new PartBuffer(partMemory.acquire(), checkpoint.carried);
  }

  /** Writes one page of rows, or does one of the steps after them. */
  async step(): Promise<'unfinished' | 'published'> {
    switch (this.#written.stage) {
      case 'rows':
        await this.#writePage();
        return 'unfinished';
      case 'completing':
        await this.#complete();
        return 'unfinished';
      case 'written':
        await this.#publish(await this.#digest());
        partMemory.release(this.#part.memory);
        return 'published';
    }
  }

  /** The progress; with an estimate of all rows once some are read. */
  get progress(): Pick<ExportRunRow, 'rows' | 'bytes'> & Partial<ExportRunRow> {
    const { rows, bytes } = this.#written;
    if (this.#fractionRead === 0) return { rows, bytes };
    return { rows, bytes, expectedRows: Math.round(rows / this.#fractionRead) };
  }

  /** Waits until every full part is stored; throws if an upload failed. */
  flush(): Promise<void> {
    return this.#uploading;
  }

  async #writePage(): Promise<void> {
    const page = await this.#readPage(this.#written.cursor);
    this.#fractionRead = page.fractionRead;
    for (const row of page.rows) await this.#write(row);
    await this.#yieldToOthers();
    if (page.next === null) await this.#endFile();
    else this.#written = { ...this.#written, cursor: page.next };
  }

  #readPage(after: Cursor): Promise<Page> {
    return isRewriting(this.#run)
      ? readRewritten(this.#work, this.#run, after)
      : readPageOfAll(this.#work.database, this.#run, after);
  }

  async #write(row: PageRow): Promise<void> {
    const { openCustomer, rows } = this.#written;
    const carried = this.#part.add(textOf(row, openCustomer));
    this.#written = {
      ...this.#written,
      cursor: row.cursor,
      openCustomer: row.customerId,
      rows: rows + linesStartedBy(row, openCustomer),
    };
    if (carried !== null) await this.#endPart(carried);
  }

  /** Waits for the previous part, then uploads this one in the background and starts the next one. */
  async #endPart(carried: Uint8Array): Promise<void> {
    await this.flush();
    const uploadId = this.#written.uploadId ?? (await this.#createUpload());
    this.#written = {
      ...this.#written,
      uploadId,
      parts: this.#written.parts + 1,
      bytes: this.#written.bytes + PART_BYTES,
      carried,
    };
    const full = this.#part;
    this.#part = new PartBuffer(partMemory.acquire(), carried);
    this.#uploading = this.#keepPart(uploadId, this.#written, full);
    // `flush` throws the error.
    this.#uploading.catch(() => undefined);
  }

  /** Uploads a full part, and stores it with the checkpoint after it. */
  async #keepPart(uploadId: string, checkpoint: Checkpoint, part: PartBuffer): Promise<void> {
    const uploaded = await this.#upload(uploadId, checkpoint.parts, part.bytes);
    await this.#work.parts.keep(checkpoint, uploaded);
    // Only after a success: a failed upload may still read the memory.
    partMemory.release(part.memory);
  }

  async #createUpload(): Promise<string> {
    const { bucket, trace } = this.#work;
    const upload = await trace.span('r2.create', () =>
      bucket.createMultipartUpload(this.#run.objectKey, FILE),
    );
    return upload.uploadId;
  }

  #upload(
    uploadId: string,
    partNumber: number,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<R2UploadedPart> {
    const { bucket, trace } = this.#work;
    const upload = bucket.resumeMultipartUpload(this.#run.objectKey, uploadId);
    return trace.span('r2.part', () => upload.uploadPart(partNumber, bytes));
  }

  /** Ends the last line, then uploads a small file in one piece, or the last part of a larger one. */
  async #endFile(): Promise<void> {
    const carried = this.#part.add(endOf(this.#written.openCustomer));
    this.#written = { ...this.#written, openCustomer: null };
    if (carried !== null) await this.#endPart(carried);
    await this.flush();
    const { bytes } = this.#part;
    const { uploadId, parts } = this.#written;
    if (uploadId === null) {
      const { bucket, trace } = this.#work;
      await trace.span('r2.put', () => bucket.put(this.#run.objectKey, bytes, FILE));
      await this.#keepStage('written', bytes.length, null);
    } else {
      const part = bytes.length > 0 ? await this.#upload(uploadId, parts + 1, bytes) : null;
      await this.#keepStage('completing', this.#written.bytes + bytes.length, part);
    }
  }

  async #keepStage(stage: Checkpoint['stage'], bytes: number, part: R2UploadedPart | null) {
    const next = { ...this.#written, stage, bytes, carried: START_OF_FILE.carried };
    await this.#work.parts.keep(next, part);
    this.#written = next;
  }

  /** Makes R2 join the parts. After a crash, R2 may have joined them already: then the file has its full size. */
  async #complete(): Promise<void> {
    const { bucket, trace, parts } = this.#work;
    const { objectKey } = this.#run;
    const upload = bucket.resumeMultipartUpload(objectKey, this.#written.uploadId ?? '');
    const uploaded = await parts.all();
    try {
      await trace.span('r2.complete', () => upload.complete(uploaded));
    } catch (error) {
      const object = await trace.span('r2.read', () => bucket.head(objectKey));
      if (object?.size !== this.#written.bytes) throw error;
    }
    await this.#keepStage('written', this.#written.bytes, null);
  }

  /** The SHA-256 of the file in R2, in hex. It reads the file in pieces, and yields to other requests between them. */
  async #digest(): Promise<string> {
    const digest = new crypto.DigestStream('SHA-256');
    const writer = digest.getWriter();
    let memory = partMemory.acquire();
    for (let offset = 0; offset < this.#written.bytes; offset += PART_BYTES) {
      const piece = await this.#readPiece(offset, memory);
      await writer.write(piece);
      memory = piece.buffer;
      await this.#yieldToOthers();
    }
    await writer.close();
    partMemory.release(memory);
    return hex(new Uint8Array(await digest.digest));
  }

  /** Reads a piece of the file, at most a part long, into `memory`, and takes ownership of it. */
  #readPiece(offset: number, memory: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
    const { bucket, trace } = this.#work;
    const { bytes } = this.#written;
    const length = Math.min(PART_BYTES, bytes - offset);
    return trace.span('r2.read', async () => {
      const object = await bucket.get(this.#run.objectKey, { range: { offset, length } });
      const reader = object?.body.getReader({ mode: 'byob' });
      const read = await reader?.readAtLeast(length, new Uint8Array(memory, 0, length));
      if (object?.size !== bytes || read?.value?.length !== length) {
        throw new Error('the file in R2 differs from what was written');
      }
      return read.value;
    });
  }

  async #publish(sha256: string): Promise<void> {
    const { database } = this.#work;
    const { rows, bytes } = this.#written;
    const file = { sha256, bytes, finishedAtMs: Date.now() };
    const end = { ...file, status: 'Complete', rows, expectedRows: rows, failure: null } as const;
    const [[source]] = isRewriting(this.#run)
      ? await database.batch('d1.export.find', [selectRun(this.#run.rewrites)])
      : [[]];
    await database.batch('d1.export.publish', [
      endRun(this.#run.id, end),
      ...(source ? takeRewritten(this.#run, source, file) : [publishFile(this.#run)]),
      forgetMoves(),
    ]);
    await deleteCopies(database, [this.#run.id]);
  }

  /** Lets other requests run: on a developer's machine, all share one process with this loop. */
  async #yieldToOthers(): Promise<void> {
    if (Date.now() < this.#yieldAtMs) return;
    await othersTurn();
    this.#yieldAtMs = Date.now() + YIELD_AFTER_MS;
  }
}

const FILE = { httpMetadata: { contentType: 'application/x-ndjson' } };
