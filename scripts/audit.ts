/** What an audit came to. */
export type Verdict =
  /** Something that is deployed has a known weakness of high severity, or worse. */
  | 'weak'
  | 'sound'
  /** Nobody said: the registry gives no advisories, or could not be reached. */
  | 'unknown';

interface Audit {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
}

/** Reads what `npm audit --json` printed. */
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
