import { holdsCardNumber } from '../core/cardNumbers.ts';
import type { JsonObject } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { readSoapReply } from './soap.ts';

/** A complete HTTP answer of a PMS. */
export interface PmsAnswer {
  readonly status: number;
  readonly text: string;
}

/** How a message is written, and how its reply is read. */
export type PmsFormat = 'JSON' | 'XML';

/** How much of a PMS's own words is kept. */
const LONGEST_WORDS = 200;

/**
 * The members of a reply that confirms a message: 2xx, `Status` `Success`, and the `MessageID` that was sent
 * (decisions: section 9). Else the reason why it confirms nothing.
 */
export function readReply(
  answer: PmsAnswer,
  format: PmsFormat,
  messageId: string,
): Result<JsonObject, string> {
  const { status, text } = answer;
  const members = format === 'XML' ? readSoapReply(text) : readJson(text);
  const words = wordsOf(members?.['ErrorMessage']);
  if (status < 200 || status > 299) return err(`HTTP ${status}${words}`);
  if (members === null) return err(`HTTP ${status}, but no readable ${format} reply`);
  if (members['Status'] !== 'Success') return err(`Status is not Success${words}`);
  if (members['MessageID'] !== messageId) return err('the reply has another MessageID');
  return ok(members);
}

/** A reason of {@link readReply} or of a try without an answer, without the PMS's own words, which may name a guest. */
export function ownPart(reason: string | null): string | null {
  return reason?.replace(/^(HTTP \d{3}|Status is not Success): .*$/s, '$1') ?? null;
}

/** The confirmation number in a reply; null when there is none that can be kept. */
export function confirmationNumberIn(members: JsonObject): string | null {
  const value = members['PMSConfirmationNumber'];
  // A larger number lost digits when it was read.
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string') return null;
  return text !== '' && text.length <= 100 && !holdsCardNumber(text) ? text : null;
}

function readJson(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** What the PMS itself says went wrong, unless it repeats what must not be kept. */
function wordsOf(message: unknown): string {
  if (typeof message !== 'string' || message === '' || holdsCardNumber(message)) return '';
  // The cut may halve a character of two code units.
  return `: ${message.slice(0, LONGEST_WORDS).toWellFormed()}`;
}
