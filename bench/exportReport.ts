import type { BareRead } from './bareRead.ts';
import { type Variant, variants } from './exportFill.ts';
import type { ExportRun } from './exportRun.ts';
import type { Memory, MemoryUse } from './memory.ts';
import { spread } from './statistics.ts';

/** The target speed of an export, compared with a bare read of the same pages. */
const TARGET_RATIO = 0.6;

/** Half of the platform's memory limit for an isolate. The rest is for everything else. */
const TARGET_BYTES = 64 * 1024 * 1024;

const MIB = 1024 * 1024;

/** An export and a bare read of the same rows, one right after the other. */
export interface Cycle {
  readonly exported: ExportRun;
  readonly bare: BareRead;
  /** How long R2 takes a file of that size, written in parts and read once, in milliseconds. */
  readonly movedMs: number;
}

/** The measurements of one variant. */
export interface Measured {
  readonly cycles: readonly Cycle[];
  readonly small: MemoryUse;
  readonly large: MemoryUse;
}

/** The measurements by variant. */
export type Results = Readonly<Record<Variant, Measured>>;

/** Speed and memory as text, a table each. */
export function exportReport(results: Results, bookings: { small: number; large: number }): string {
  return [
    line('speed', ['rows', 'MiB', 'export s', 'rows/s', 'bare s', 'R2 s', 'to bare', 'to both']),
    ...variants.flatMap((variant) => speedRows(variant, results[variant].cycles)),
    '',
    line('memory, MiB', ['bookings', 'idle', 'peak', 'more', 'samples']),
    ...variants.flatMap((variant) => memoryRows(variant, results[variant], bookings)),
    '',
    'Rows are those of the file’s pages. To bare: the speed of the export, divided by that of a bare read of the',
    'same pages on the same runtime. To both: divided by that of the bare read plus R2, which stores a file of the',
    'same size in parts and returns it once. Judge the service by the ratios: the other figures depend on this',
    'machine, where D1, R2 and the service share one thread. Heap: JavaScript values of the service’s isolate,',
    'including garbage that is not collected yet; buffers: with their memory outside the heap. Resident: the whole',
    'runtime with D1, R2 and every isolate.',
  ].join('\n');
}

function speedRows(variant: Variant, cycles: readonly Cycle[]): string[] {
  const { p50 } = spread(cycles.map(ratioOf));
  const both = spread(cycles.map(ratioToBoth));
  const reached = p50 >= TARGET_RATIO ? 'reached' : 'missed';
  return [
    ...cycles.map((cycle) => speedRow(variant, cycle)),
    line(`${variant}, median`, ['', '', '', '', '', '', times(p50), times(both.p50)]),
    `  at least ${times(TARGET_RATIO)} is the target: ${reached}`,
  ];
}

function speedRow(variant: Variant, cycle: Cycle): string {
  const { exported, bare, movedMs } = cycle;
  return line(variant, [
    bare.rows,
    (exported.bytes / MIB).toFixed(0),
    (exported.elapsedMs / 1_000).toFixed(2),
    perSecond(bare.rows, exported.elapsedMs),
    (bare.elapsedMs / 1_000).toFixed(2),
    (movedMs / 1_000).toFixed(2),
    times(ratioOf(cycle)),
    times(ratioToBoth(cycle)),
  ]);
}

function ratioOf({ exported, bare }: Cycle): number {
  return bare.elapsedMs / exported.elapsedMs;
}

function ratioToBoth({ exported, bare, movedMs }: Cycle): number {
  return (bare.elapsedMs + movedMs) / exported.elapsedMs;
}

function perSecond(rows: number, elapsedMs: number): string {
  return ((rows * 1_000) / elapsedMs).toFixed(0);
}

/** The kinds of memory, and how each is called. */
const kinds: readonly (readonly [keyof Memory, string])[] = [
  ['heap', 'heap'],
  ['heapAndBuffers', 'buffers'],
  ['resident', 'resident'],
];

function memoryRows(
  variant: Variant,
  { small, large }: Measured,
  bookings: { small: number; large: number },
): string[] {
  const rows = kinds.flatMap(([kind, name]) => [
    memoryRow(`${variant} ${name}`, bookings.small, small, kind),
    memoryRow(`${variant} ${name}`, bookings.large, large, kind),
    `  peak ${times(large.peak[kind] / small.peak[kind])}, more than idle ${times(above(large, kind) / above(small, kind))}`,
  ]);
  const share = large.peak.heapAndBuffers / TARGET_BYTES;
  return [
    ...rows,
    `  heap and buffers at their peak: ${times(share)} of ${TARGET_BYTES / MIB} MiB`,
  ];
}

function memoryRow(name: string, bookings: number, use: MemoryUse, kind: keyof Memory): string {
  const sizes = [use.idle[kind], use.peak[kind], above(use, kind)];
  return line(name, [bookings, ...sizes.map((size) => (size / MIB).toFixed(1)), use.samples]);
}

function above({ idle, peak }: MemoryUse, kind: keyof Memory): number {
  return peak[kind] - idle[kind];
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function line(name: string, columns: readonly (string | number)[]): string {
  return name.padEnd(30) + columns.map((column) => String(column).padStart(11)).join('');
}
