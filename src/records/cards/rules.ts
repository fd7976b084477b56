import { type Failure, failure } from '../../core/failure.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/**
 * Whether an acquirer's account keeps the card that its property no longer uses (interface: Accounts): it is charged no
 * more. What was charged on it is still captured, let go, refunded and disputed there.
 */
export function isOfFormerAccount(
  { merchantAccount }: Pick<PropertyRow, 'merchantAccount'>,
  { gatewayAccount }: Pick<CardRow, 'gatewayAccount'>,
): boolean {
  return gatewayAccount !== merchantAccount;
}

/** The failure of what would charge such a card, or attach it. */
export function cardOfFormerAccount(): Failure {
  return failure(
    'card_of_former_account',
    "The card is kept at an account that is no longer the property's. Ask the guest to enter a card again.",
  );
}
