import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf, linesStartedBy, textOf } from '../../src/exports/rules/lines.ts';
import type { PageRow } from '../../src/exports/rules/pages.ts';
import { BufferPool, PART_BYTES, PartBuffer } from '../../src/exports/rules/partBuffer.ts';

function rowOf(customerId: number | null, applicationId: number, text: string): PageRow {
  const head = `{"entryId":${customerId},"bookings":`;
  return { cursor: [customerId ?? 0, applicationId], customerId, lines: 1, head, text };
}

/** The whole property-system file of some rows. */
function fileOf(rows: readonly PageRow[]): string {
  let open: number | null = null;
  let file = '';
  for (const row of rows) {
    file += textOf(row, open);
    open = row.customerId;
  }
  return file + endOf(open);
}

describe('the lines of the property system', () => {
  it('have the bookings of one customer each', () => {
    const rows = [rowOf(1, 1, '{"a":1}'), rowOf(1, 2, '{"a":2}'), rowOf(5, 3, '{"a":3}')];
    expect(fileOf(rows)).toBe(
      '{"entryId":1,"bookings":[{"a":1},{"a":2}]}\n{"entryId":5,"bookings":[{"a":3}]}\n',
    );
  });

  it('are none without rows', () => {
    expect(fileOf([])).toBe('');
  });
});

describe('the lines of the application console', () => {
  it('have one application each', () => {
    expect(textOf(rowOf(null, 1, '{"a":1}'), null)).toBe('{"a":1}\n');
    expect(endOf(null)).toBe('');
  });

  it('count once each', () => {
    expect([linesStartedBy(rowOf(3, 1, ''), 2), linesStartedBy(rowOf(3, 1, ''), 3)]).toEqual([
      1, 0,
    ]);
    expect(linesStartedBy({ ...rowOf(null, 1, ''), lines: 4 }, null)).toBe(4);
  });
});

describe('any text', () => {
  it('stays what it is, on one line for every reader', () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\n', '\r', '\u0085', '\u2028', '\u2029', '"', '\\', '🎓', '\u0000'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(nasty, (name) => {
        const line = textOf(rowOf(null, 1, JSON.stringify({ name })), null);
        expect(line.slice(0, -1)).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
        expect(JSON.parse(line)).toEqual({ name });
      }),
    );
  });
});

describe('parts', () => {
  /** Fills parts with texts; each full part is copied out, as an upload would. */
  function partsOf(texts: readonly string[], partBytes: number): Uint8Array[] {
    const empty = () => new PartBuffer(new ArrayBuffer(partBytes), new Uint8Array());
    let buffer = empty();
    const parts: Uint8Array[] = [];
    for (const text of texts) {
      let carried = buffer.add(text);
      while (carried !== null) {
        parts.push(buffer.bytes.slice());
        buffer = empty();
        carried = buffer.add(
          new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(carried),
        );
      }
    }
    return [...parts, buffer.bytes.slice()];
  }

  it('are all of one size but the last, and together the same bytes', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '"'), maxLength: 40 }));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 64 }), (list, partBytes) => {
        const parts = partsOf(list, partBytes);
        for (const part of parts.slice(0, -1)) expect(part.length).toBe(partBytes);
        expect(parts.at(-1)?.length).toBeLessThan(partBytes);
        expect(Buffer.concat(parts).toString()).toBe(list.join(''));
      }),
    );
  });

  it('may end in the middle of a character', () => {
    const whole = `${'x'.repeat(6)}🎓${'y'.repeat(3)}`;
    const bytes = new TextEncoder().encode(whole);
    for (let partBytes = 7; partBytes < bytes.length; partBytes += 1) {
      const buffer = new PartBuffer(new ArrayBuffer(partBytes), new Uint8Array());
      const carried = buffer.add(whole);
      expect(carried).not.toBeNull();
      expect(buffer.bytes).toEqual(bytes.slice(0, partBytes));
      expect(carried).toEqual(bytes.slice(partBytes));
      const next = new PartBuffer(new ArrayBuffer(bytes.length), carried ?? new Uint8Array());
      expect(Buffer.concat([buffer.bytes, next.bytes]).toString()).toBe(whole);
    }
  });

  it('are filled in memory of a part’s size, which is used again once it is released', () => {
    const pool = new BufferPool();
    const [first, second] = [pool.acquire(), pool.acquire()];
    expect(first).not.toBe(second);
    expect([first.byteLength, second.byteLength]).toEqual([PART_BYTES, PART_BYTES]);
    const buffer = new PartBuffer(first, new Uint8Array());
    expect(buffer.memory).toBe(first);
    pool.release(buffer.memory);
    expect(pool.acquire()).toBe(first);
    expect(pool.acquire()).not.toBe(first);
  });

  it('that are exactly full carry nothing over', () => {
    const buffer = new PartBuffer(new ArrayBuffer(4), new Uint8Array());
    expect(buffer.add('ab')).toBeNull();
    expect(buffer.add('cd')).toEqual(new Uint8Array());
    expect(buffer.bytes.length).toBe(4);
  });
});
