import type { SecretWork } from '../operation/secretAnswers.ts';
import type { OperationRequest } from './readRequest.ts';

/** The context of an operation that makes a secret. */
export function secretWork({ c, callerKey: caller }: OperationRequest<object>): SecretWork {
  const { caller: administrator, config, database, requestId } = c.var;
  return {
    database,
    keyring: config.keyring,
    clientId: administrator.clientId,
    requestId,
    nowMs: Date.now(),
    caller,
  };
}
