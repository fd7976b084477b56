import { evidencePdf } from './document.ts';
import type { Evidence } from './read.ts';
import { type EvidenceTexts, evidenceToSend } from './rules/fields.ts';

export interface EvidenceToSend {
  /** What the bank reads, by the acquirer's names of its fields. */
  readonly texts: Readonly<Record<string, string>>;
  readonly stayHappened: boolean;
  /** The same and more as a PDF; null where it is too long for banks. */
  readonly pdf: Uint8Array | null;
}

/** The most pages that banks take: Mastercard's bound, the least of all. */
const MOST_PAGES = 19;

/** The evidence as it is sent: the suggested texts with `written` in place of them. Null if these are too long together. */
export function answerWith(evidence: Evidence, written: EvidenceTexts): EvidenceToSend | null {
  const { facts, suggested } = evidence.view;
  const texts = evidenceToSend(suggested, written);
  if (texts === null) return null;
  const { bytes, pages } = evidencePdf(evidence);
  return { texts, stayHappened: facts.stay.happened, pdf: pages > MOST_PAGES ? null : bytes };
}
