import type { Words } from './words.ts';

/** Explains to a guest why a card was declined, by the acquirer's decline code. */
export function declineWords({ declines }: Words, declineCode: string | null): string {
  const known: Readonly<Record<string, string>> = declines;
  const isKnown = declineCode !== null && Object.hasOwn(known, declineCode);
  return (isKnown ? known[declineCode] : undefined) ?? declines.other;
}
