import { hex } from '../../core/ids.ts';

/** A new id of an operation of the sandbox acquirer. */
export function newReference(): string {
  return `sandbox_${randomHex()}`;
}

/** A new token of a card in its vault. */
export function newVaultToken(): string {
  return `vault_${randomHex()}`;
}

/** A new name of a page at the sandbox's bank. Only the cardholder knows it. */
export function newStepId(): string {
  return `${randomHex()}${randomHex()}`;
}

function randomHex(): string {
  return hex(crypto.getRandomValues(new Uint8Array(12)));
}
