/** The result of an audit. */
export type Verdict =
  /** A deployed package has a known vulnerability of high or critical severity. */
  | 'weak'
  | 'sound'
  /** The registry gives no advisories, or cannot be reached. */
  | 'unknown';

interface Audit {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
}

/** Reads the output of `npm audit --json`. */
export function verdictOf(printed: string): Verdict {
  const found = read(printed)?.metadata?.vulnerabilities;
  if (found === undefined) return 'unknown';
  return (found['high'] ?? 0) + (found['critical'] ?? 0) > 0 ? 'weak' : 'sound';
}

function read(printed: string): Audit | null {
  try {
    return JSON.parse(printed) as Audit | null;
  } catch {
    return null;
  }
}
