import { hex } from '../core/ids.ts';
import type { Database } from '../db/database.ts';
import type { ExportRunRow } from '../db/exportTables.ts';
import type { Crossings } from '../io/crossings.ts';
import { endOf, textOf } from './lines.ts';
import { type Cursor, type PageRow, readPage, START } from './pages.ts';
import { giveMemoryBack, PART_BYTES, PartBuffer, takeMemory } from './partBuffer.ts';
import { endRun, forgetMoves, publishFile, type RunProgress } from './store.ts';

/** How long rows are worked on before others are let in. */
const TURN_MS = 100;

/**
 * How far a file has come, as it is kept after each part: all that is needed to go on with it, whatever crashed. What
 * was made since then is made again.
 */
export interface Checkpoint {
  /**
   * `rows`: they are being written. `completing`: every part is in R2, which puts them together. `written`: the file is
   * there, and its digest is taken.
   */
  readonly stage: 'rows' | 'completing' | 'written';
  /** Null as long as less than a part was written. */
  readonly uploadId: string | null;
  /** How many parts R2 has. */
  readonly parts: number;
  readonly cursor: Cursor;
  /** The customer whose line has begun and not ended. */
  readonly openCustomer: number | null;
  /** Lines begun. */
  readonly rows: number;
  /** Bytes in R2. */
  readonly bytes: number;
  /** What was made of the next part already: a piece of one row. */
  readonly carried: Uint8Array;
}

/** A file of which nothing is made yet. */
export const NOTHING_MADE: Checkpoint = {
  stage: 'rows',
  uploadId: null,
  parts: 0,
  cursor: START,
  openCustomer: null,
  rows: 0,
  bytes: 0,
  carried: new Uint8Array(),
};

/** What a file is made with. */
export interface MakingWork {
  readonly database: Database;
  readonly crossings: Crossings;
  readonly bucket: R2Bucket;
  readonly parts: PartList;
  now(): number;
}

/** Where the checkpoint and the parts of an upload are kept. */
export interface PartList {
  /** Keeps a checkpoint, together with the part that was uploaded last. */
  keep(checkpoint: Checkpoint, part: R2UploadedPart | null): Promise<void>;
  /** Every part that was kept, in order. */
  all(): Promise<R2UploadedPart[]>;
}

/** Makes the file of one run, a step at a time; from its checkpoint, it goes on as if nothing had happened. */
export class Making {
  readonly #work: MakingWork;
  readonly #run: ExportRunRow;
  /** The part that is being filled, and the one before, which may still be on its way to R2. */
  #buffer = new PartBuffer(takeMemory());
  #other = new PartBuffer(takeMemory());
  #uploading: Promise<void> = Promise.resolve();
  #made: Checkpoint;
  /** How much of the rows has been read, from 0 to 1. */
  #share = 0;
  #turnEndsMs = 0;

  constructor(work: MakingWork, run: ExportRunRow, checkpoint: Checkpoint) {
    this.#work = work;
    this.#run = run;
    this.#made = checkpoint;
    this.#buffer.begin(checkpoint.carried);
  }

  /** Does one page of rows, or one of the steps after them. Says whether the file is published. */
  async step(): Promise<'goes on' | 'published'> {
    switch (this.#made.stage) {
      case 'rows':
        await this.#writePage();
        return 'goes on';
      case 'completing':
        await this.#complete();
        return 'goes on';
      case 'written':
        await this.#publish(await this.#digest());
        for (const { memory } of [this.#buffer, this.#other]) giveMemoryBack(memory);
        return 'published';
    }
  }

  /** How far the file is, as it is told to others. */
  get progress(): RunProgress {
    const { rows, bytes } = this.#made;
    const expectedRows = Math.round(rows / this.#share);
    return { rows, bytes, ...(this.#share > 0 && { expectedRows }) };
  }

  /** Waits until every part that is full is kept; throws when one could not be. */
  settle(): Promise<void> {
    return this.#uploading;
  }

  async #writePage(): Promise<void> {
    const page = await readPage(this.#work.database, this.#run, this.#made.cursor);
    this.#share = page.share;
    for (const row of page.rows) await this.#write(row);
    await this.#letOthersIn();
    if (page.next === null) await this.#endFile();
    else this.#made = { ...this.#made, cursor: page.next };
  }

  async #write(row: PageRow): Promise<void> {
    const { variant } = this.#run;
    const { openCustomer, rows } = this.#made;
    const carried = this.#buffer.add(textOf(variant, row, openCustomer));
    const begins = variant === 'applicationConsole' || row.customerId !== openCustomer;
    this.#made = {
      ...this.#made,
      cursor: { customerId: row.customerId, applicationId: row.applicationId },
      openCustomer: variant === 'applicationConsole' ? null : row.customerId,
      rows: rows + (begins ? 1 : 0),
    };
    if (carried !== null) await this.#endPart(carried);
  }

  /** Begins to upload the full part, and goes on with the next one meanwhile. */
  async #endPart(carried: Uint8Array): Promise<void> {
    await this.settle();
    const uploadId = this.#made.uploadId ?? (await this.#createUpload());
    this.#made = {
      ...this.#made,
      uploadId,
      parts: this.#made.parts + 1,
      bytes: this.#made.bytes + PART_BYTES,
      carried,
    };
    const full = this.#buffer;
    this.#buffer = this.#other;
    this.#other = full;
    this.#buffer.begin(carried);
    this.#uploading = this.#keepPart(uploadId, this.#made, full.bytes);
    // Whoever waits for it is told.
    this.#uploading.catch(() => undefined);
  }

  /** Uploads a part, and keeps how far the file is with it. */
  async #keepPart(uploadId: string, made: Checkpoint, bytes: Uint8Array<ArrayBuffer>) {
    await this.#work.parts.keep(made, await this.#upload(uploadId, made.parts, bytes));
  }

  async #createUpload(): Promise<string> {
    const { bucket, crossings } = this.#work;
    const upload = await crossings.cross('r2.create', () =>
      bucket.createMultipartUpload(this.#run.objectKey, FILE),
    );
    return upload.uploadId;
  }

  #upload(
    uploadId: string,
    partNumber: number,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<R2UploadedPart> {
    const { bucket, crossings } = this.#work;
    const upload = bucket.resumeMultipartUpload(this.#run.objectKey, uploadId);
    return crossings.cross('r2.part', () => upload.uploadPart(partNumber, bytes));
  }

  /** Ends the last line. A file of less than a part is put as it is, any other gets its last part. */
  async #endFile(): Promise<void> {
    const carried = this.#buffer.add(endOf(this.#made.openCustomer));
    this.#made = { ...this.#made, openCustomer: null };
    if (carried !== null) await this.#endPart(carried);
    await this.settle();
    const { bytes } = this.#buffer;
    const { uploadId, parts } = this.#made;
    if (uploadId === null) {
      const { bucket, crossings } = this.#work;
      await crossings.cross('r2.put', () => bucket.put(this.#run.objectKey, bytes, FILE));
      await this.#keepStage('written', bytes.length, null);
    } else {
      const part = bytes.length > 0 ? await this.#upload(uploadId, parts + 1, bytes) : null;
      await this.#keepStage('completing', this.#made.bytes + bytes.length, part);
    }
  }

  async #keepStage(stage: Checkpoint['stage'], bytes: number, part: R2UploadedPart | null) {
    const next = { ...this.#made, stage, bytes, carried: NOTHING_MADE.carried };
    await this.#work.parts.keep(next, part);
    this.#made = next;
  }

  /** Has R2 put the parts together. When that was done already, before a crash, there is nothing left to do. */
  async #complete(): Promise<void> {
    const { bucket, crossings, parts } = this.#work;
    const { objectKey } = this.#run;
    const upload = bucket.resumeMultipartUpload(objectKey, this.#made.uploadId ?? '');
    const uploaded = await parts.all();
    try {
      await crossings.cross('r2.complete', () => upload.complete(uploaded));
    } catch (error) {
      const object = await crossings.cross('r2.read', () => bucket.head(objectKey));
      if (object?.size !== this.#made.bytes) throw error;
    }
    await this.#keepStage('written', this.#made.bytes, null);
  }

  /** SHA-256 of the file as R2 gives it back, in hex; read in pieces, between which others are let in. */
  async #digest(): Promise<string> {
    const digest = new crypto.DigestStream('SHA-256');
    const writer = digest.getWriter();
    let memory = takeMemory();
    for (let offset = 0; offset < this.#made.bytes; offset += PART_BYTES) {
      const piece = await this.#readPiece(offset, memory);
      await writer.write(piece);
      memory = piece.buffer;
      await this.#letOthersIn();
    }
    await writer.close();
    giveMemoryBack(memory);
    return hex(new Uint8Array(await digest.digest));
  }

  /** Reads at most a part's length of the finished file into `memory`, which it takes over. */
  #readPiece(offset: number, memory: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
    const { bucket, crossings } = this.#work;
    const { bytes } = this.#made;
    const length = Math.min(PART_BYTES, bytes - offset);
    return crossings.cross('r2.read', async () => {
      const object = await bucket.get(this.#run.objectKey, { range: { offset, length } });
      const reader = object?.body.getReader({ mode: 'byob' });
      const read = await reader?.readAtLeast(length, new Uint8Array(memory, 0, length));
      if (object?.size !== bytes || read?.value?.length !== length) {
        throw new Error('the finished file is not in R2 as it was written');
      }
      return read.value;
    });
  }

  async #publish(sha256: string): Promise<void> {
    const { database } = this.#work;
    const { rows, bytes } = this.#made;
    await database.batch('d1.export.publish', [
      endRun(database.queries, this.#run.id, {
        status: 'Complete',
        rows,
        bytes,
        sha256,
        expectedRows: rows,
        failure: null,
        finishedAtMs: this.#work.now(),
      }),
      publishFile(database.queries, this.#run),
      forgetMoves(database.queries),
    ]);
  }

  /** Where everything runs in one process, as on a developer's machine, nobody else would be heard until a file is done. */
  async #letOthersIn(): Promise<void> {
    if (Date.now() < this.#turnEndsMs) return;
    await scheduler.wait(1);
    this.#turnEndsMs = Date.now() + TURN_MS;
  }
}

/** How R2 keeps a file. */
const FILE = { httpMetadata: { contentType: 'application/x-ndjson' } };
