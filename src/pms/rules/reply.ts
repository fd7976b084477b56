import { holdsCardNumber } from '../../core/cardNumbers.ts';
import type { JsonObject } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { readSoapReply } from './soap.ts';

/** A PMS's complete HTTP response. */
export interface PmsAnswer {
  readonly status: number;
  readonly text: string;
}

export type PmsFormat = 'JSON' | 'XML';

/** How many characters of a PMS's error message are kept. */
const MOST_ERROR_CHARACTERS = 200;

/**
 * The members of a reply that confirms a message: 2xx, `Status` `Success`, and the `MessageID` that was sent
 * (pms: What counts as confirmed). Any other reply is an error with the reason.
 */
export function readReply(
  answer: PmsAnswer,
  format: PmsFormat,
  messageId: string,
): Result<JsonObject, string> {
  const { status, text } = answer;
  const members = format === 'XML' ? readSoapReply(text) : readJson(text);
  const detail = errorText(members?.['ErrorMessage']);
  if (status < 200 || status > 299) return err(`HTTP ${status}${detail}`);
  if (members === null) return err(`HTTP ${status}, but no readable ${format} reply`);
  if (members['Status'] !== 'Success') return err(`Status is not Success${detail}`);
  if (members['MessageID'] !== messageId) return err('the reply has another MessageID');
  return ok(members);
}

/**
 * Whether a PMS refuses a message by its reply: `Status` `Error`, about this message or without naming one (pms: Retries).
 * 429 does not refuse: it asks for another time.
 */
export function isRefusal(
  { status, text }: PmsAnswer,
  format: PmsFormat,
  messageId: string,
): boolean {
  if (status === 429) return false;
  const members = format === 'XML' ? readSoapReply(text) : null;
  const { Status, MessageID } = members ?? readJson(text) ?? {};
  // A PMS that cannot read the message cannot name it.
  const isAbout = (MessageID ?? '') === '' || MessageID === messageId;
  return Status === 'Error' && isAbout;
}

/** A failed attempt's reason without the PMS's error message, which may name a guest. */
export function ownPart(reason: string | null): string | null {
  return reason?.replace(/^(HTTP \d{3}|Status is not Success): .*$/s, '$1') ?? null;
}

/** The confirmation number in a reply; null if it is missing or invalid. */
export function confirmationNumberIn(members: JsonObject): string | null {
  const value = members['PMSConfirmationNumber'];
  // JSON.parse rounds larger numbers.
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !isClean(text)) return null;
  return text !== '' && text.length <= 100 && !holdsCardNumber(text) ? text : null;
}

/** Whether a text is well-formed Unicode without control characters, as every text of the interface. */
function isClean(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function readJson(text: string): JsonObject | null {
  const value = parseJson(text);
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isObject ? (value as JsonObject) : null;
}

/** The PMS's error message, cut and with `: ` before it; empty if it contains a card number. */
function errorText(message: unknown): string {
  if (typeof message !== 'string' || message === '' || holdsCardNumber(message)) return '';
  // The cut may split a surrogate pair.
  return `: ${message.slice(0, MOST_ERROR_CHARACTERS).toWellFormed()}`;
}
