import { identifierHoldsCardNumber } from '../core/cardNumbers.ts';
import { type Failure, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { CARD_NUMBER } from './fields.ts';

/** Reads an `Idempotency-Key` header, quoted or bare: 1 to 255 printable ASCII characters, or null without a header. */
export function readIdempotencyKey(header: string | undefined): Result<string | null, Failure> {
  if (header === undefined) return ok(null);
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())?.[1];
  const key = quoted === undefined ? header.trim() : quoted.replace(/\\(["\\])/g, '$1');
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    return err(
      failure('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.'),
    );
  }
  // The service stores keys, and never stores a card number.
  return identifierHoldsCardNumber(key) ? err(keyHoldsCardNumber()) : ok(key);
}

function keyHoldsCardNumber(): Failure {
  const { error: message, params } = CARD_NUMBER;
  return fieldFailure([{ field: 'Idempotency-Key', code: params.code, message }]);
}
