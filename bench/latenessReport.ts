import type { Volley } from './lateness.ts';
import { spread } from './statistics.ts';

/** The volleys as text: scheduled and direct ones in turn, cycle by cycle, and their ratios. */
export function latenessReport(scheduled: readonly Volley[], direct: readonly Volley[]): string {
  const rows = scheduled.flatMap((volley, cycle) => {
    const other = direct[cycle];
    return other ? [row('schedules due at once', volley), row('direct requests', other)] : [];
  });
  const ratios = scheduled.flatMap((volley, cycle) => {
    const other = direct[cycle];
    return other ? [ratioRow(volley, other)] : [];
  });
  return [
    line('', ['charges', 'p50 ms', 'p99 ms', 'max ms', 'charges/s']),
    ...rows,
    '',
    line('schedules / direct', ['', 'p50', 'p99', 'max', 'charges/s']),
    ...ratios,
    '',
    'Milliseconds are from the due time, or from the first request, until the outcome of each charge. Direct: each',
    'booking’s charges one after the other, all bookings at once. Each charge was checked in the acquirer’s ledger.',
  ].join('\n');
}

function row(name: string, volley: Volley): string {
  const { p50, p99, max } = spread(volley.latenessMs);
  return line(name, [
    volley.latenessMs.length,
    p50.toFixed(0),
    p99.toFixed(0),
    max.toFixed(0),
    perSecond(volley).toFixed(0),
  ]);
}

function ratioRow(volley: Volley, other: Volley): string {
  const one = spread(volley.latenessMs);
  const two = spread(other.latenessMs);
  const throughput = perSecond(volley) / perSecond(other);
  const ratios = [one.p50 / two.p50, one.p99 / two.p99, one.max / two.max, throughput];
  return line('', ['', ...ratios.map((ratio) => `${ratio.toFixed(2)} ×`)]);
}

function perSecond({ latenessMs, elapsedMs }: Volley): number {
  return (latenessMs.length * 1_000) / elapsedMs;
}

function line(name: string, columns: readonly (string | number)[]): string {
  return name.padEnd(24) + columns.map((column) => String(column).padStart(11)).join('');
}
