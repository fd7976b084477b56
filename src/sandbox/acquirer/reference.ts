import { hex } from '../../core/ids.ts';

/** A new id of an operation of the sandbox acquirer. */
export function newReference(): string {
  return `sandbox_${randomHex()}`;
}

export function newVaultToken(): string {
  return `vault_${randomHex()}`;
}

/** The token of a card: its account, if that is not the platform's, and its id there. */
export function tokenIn(account: string | null, id: string): string {
  return account === null ? id : `${account}/${id}`;
}

/** The id of a card at its account. */
export function idIn(token: string): string {
  return token.slice(token.indexOf('/') + 1);
}

/** A new name of a page at the sandbox's bank. Only the cardholder knows it. */
export function newStepId(): string {
  return `${randomHex()}${randomHex()}`;
}

function randomHex(): string {
  return hex(crypto.getRandomValues(new Uint8Array(12)));
}
