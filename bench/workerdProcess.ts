import { readdirSync, readFileSync } from 'node:fs';

/** The status file of the workerd that this process started; null where there is no `/proc`. */
export function findWorkerd(): string | null {
  for (const file of statusFiles()) {
    const status = read(file);
    const ours = fieldOf(status, 'PPid') === String(process.pid);
    if (ours && fieldOf(status, 'Name') === 'workerd') return file;
  }
  return null;
}

/** How much memory a process has resident, in bytes, by its status file; NaN when it is not known. */
export function residentBytes(statusFile: string | null): number {
  const kibibytes = statusFile === null ? undefined : fieldOf(read(statusFile), 'VmRSS');
  return kibibytes === undefined ? Number.NaN : Number.parseInt(kibibytes, 10) * 1024;
}

function statusFiles(): string[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => `/proc/${pid}/status`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

function fieldOf(status: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(.+)$`, 'm').exec(status)?.[1];
}
