import { type Failure, failure } from '../../core/failure.ts';
import type { PropertyClock } from '../../core/propertyClock.ts';
import type { Result } from '../../core/result.ts';
import type { AppContext } from '../../http/context.ts';
import type { About } from '../../platform/log.ts';
import type { AgreementKind } from '../../records/cards/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { CardIssues, Repeated } from './pages/cardFields.tsx';
import type { ShownProperty } from './pages/layout.tsx';

/** Which page takes a guest's card, and what the card belongs to. */
export interface CardEntryContext {
  readonly property: Pick<PropertyRow, 'id' | 'currency' | 'merchantAccount'> &
    ShownProperty &
    PropertyClock;
  /** The path of the form, which is also sent there. */
  readonly action: string;
  /** The link that the guest opened; the hourly limit of cards counts by link and by booking. */
  readonly linkId: string;
  /** The booking that the card belongs to; null for none. */
  readonly bookingReference: string | null;
  readonly enteredBy: 'api' | 'guest';
  readonly requestId: string | null;
  /** What the page says that the card is kept for; its guest agrees to it. */
  readonly agreement: AgreementKind;
  /** Whether the card is charged at once with what was declined before. */
  readonly chargesAtOnce: boolean;
  /** Saves the card once the vault has it, with the name of what the guest agreed to. */
  readonly keep: (card: CardRow, agreement: string | null) => Promise<Result<unknown, Failure>>;
}

/** What a card's form is about, for a log line. */
export function aboutEntry(c: AppContext, { property, bookingReference }: CardEntryContext): About {
  return {
    requestId: c.get('requestId'),
    property: property.id,
    booking: bookingReference ?? undefined,
  };
}

/** What a submitted card form led to. */
export type EntryResult =
  | { readonly kind: 'added' }
  /** The guest sent the same form before, at `atMs`. If its card was saved, `atMs` is when the card was created. */
  | { readonly kind: 'repeated'; readonly atMs: number }
  | { readonly kind: 'invalid'; readonly issues: CardIssues; readonly repeated: Repeated }
  | { readonly kind: 'too-many' }
  /** The guest's bank must verify them first, at this URL. */
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The form names nothing that the page showed: its guest agreed to nothing, so no card is saved. */
export function notAgreed(): EntryResult {
  const detail = 'The form does not say that its guest agrees to what the page says.';
  return { kind: 'failed', failure: failure('validation_failed', detail) };
}

/** The results after which the guest sees the form again, or goes to their bank. */
export type NotAdded = Exclude<EntryResult, { readonly kind: 'added' | 'repeated' }>;
