import type { FailureMembers } from '../../src/core/failure.ts';
import type { ExportUserView } from '../../src/exports/views.ts';
import type { balanceView } from '../../src/money/balance/views.ts';
import type { EvidenceView } from '../../src/money/disputes/evidence/views.ts';
import type { DisputeView } from '../../src/money/disputes/views.ts';
import type { PlanPut } from '../../src/money/plans/views.ts';
import type { cancellationView } from '../../src/money/settlements/quote.ts';
import type { SettlementView } from '../../src/money/settlements/views.ts';
import type { moveView } from '../../src/moves/views.ts';
import type { BookingDetailsView } from '../../src/records/bookings/views.ts';
import type { ClientView } from '../../src/records/clients/views.ts';
import type { DatabaseView } from '../../src/records/homes/homes.ts';
import type { KeyView } from '../../src/records/keyring/needs.ts';
import type { UserView } from '../../src/records/staff/views.ts';
import type { Erasure } from '../../src/retention/erase.ts';

/** A booking's balance. */
export type BalanceBody = ReturnType<typeof balanceView>;

/** An event, as if each had all members that tests look at. */
export interface EventJson {
  readonly eventId: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly property: string;
    readonly reference: string | null;
    readonly sequence: number | null;
    readonly transaction: { readonly id: number; readonly status: string };
    readonly settlement: SettlementView;
  };
}

/** A plan that was saved. */
export type PlanBody = PlanPut['plan'];

/** An endpoint for events. */
export interface EndpointBody {
  readonly endpointId: string;
  readonly url: string;
  readonly types: string[];
  readonly active: boolean;
  readonly secret: string;
}

/**
 * Everything that tests look at in answers, as if each answer had all of it: what an answer really holds is for
 * the assertions to say.
 */
export interface AnswerBody {
  readonly success: boolean | 1;
  readonly status: string | number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors: { readonly field: string; readonly code: string; readonly message: string }[];
  readonly balance: BalanceBody;
  readonly archived: number;
  readonly erasure: Erasure;
  readonly open: FailureMembers['open'];
  readonly plan: PlanBody;
  readonly planChanges: PlanPut['planChanges'];
  readonly quote: QuoteBody;
  readonly cancellation: ReturnType<typeof cancellationView>;
  readonly settlement: SettlementView;
  readonly declineCode: string;
  readonly retryable: boolean;
  readonly warnings: string[];
  readonly due: number;
  readonly dispute: DisputeView;
  readonly disputes: DisputeView[];
  readonly evidence: EvidenceView;
  readonly user: UserView;
  readonly users: UserView[];
  readonly access_token: string;
  readonly scope: string;
  readonly error: string;
  readonly keys: KeyView[];
  readonly client: ClientView;
  readonly clients: ClientView[];
  readonly exportUsers: ExportUserView[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly property: Record<string, unknown>;
  readonly properties: Record<string, unknown>[];
  readonly databases: DatabaseView[];
  readonly move: ReturnType<typeof moveView>;
  readonly endpoint: EndpointBody;
  readonly endpoints: EndpointBody[];
  readonly deliveries: {
    readonly eventId: string;
    readonly type: string;
    readonly status: string;
    readonly attempts: number;
    readonly nextAttemptAt: string | null;
    readonly lastStatus: number | null;
  }[];
  readonly events: EventJson[];
  readonly replayed: number;
  readonly report: { readonly reportId: string };
  readonly confirmed: boolean;
  readonly lastStatus: number | null;
  readonly mails: Record<string, unknown>[];
  readonly rules: Record<string, unknown>[];
  readonly booking: BookingBody;
  readonly card: CardBody;
  readonly transaction: TransactionBody;
  readonly transactions: TransactionBody[];
  readonly refunds: RefundBody[];
  readonly cancelled: TransactionBody[];
  readonly skipped: {
    readonly id: number;
    readonly status: string;
    readonly warnings?: string[];
  }[];
  readonly operations: LedgerBody[];
  /** What a property's clock shows, and how many things an advance did. */
  readonly now: string;
  readonly fired: number;
  readonly entries: Record<string, unknown>[];
  readonly application: ApplicationBody;
  readonly url: string;
  readonly expiresAt: string;
  readonly message: string;
  readonly runId: string;
  readonly runs: RunBody[];
  readonly username: string;
  readonly password: string;
  readonly messages: MessageBody[];
  readonly nextCursor: string | null;
  readonly MessageID: string;
  readonly TimeStamp: string;
  readonly Status: string;
  readonly ErrorMessage: string;
  readonly EchoData: string;
  readonly PropertyData: Record<string, unknown>;
  readonly InventoryData: Record<string, NightBody[]>;
  readonly openapi: string;
  readonly paths: Record<string, Record<string, OperationBody>>;
}

/** What a payment would come to. */
export interface QuoteBody {
  readonly quoteId: string;
  readonly amount: number;
  readonly creditCardFee: number;
  readonly refusals: { readonly code: string; readonly detail: string }[];
}

/** A night as GetInventory shows it. */
export interface NightBody {
  readonly day: string;
  readonly ldsRoomTypeID: string;
  readonly totalAmount: number;
  readonly cta: boolean;
  readonly ctd: boolean;
  readonly closed: boolean;
  readonly mlos: number;
}

/** A card as bookings show it. */
export interface CardBody {
  readonly token: string;
  readonly cardNumber: string;
  readonly cardType: string;
}

/** A booking. */
export interface BookingBody {
  readonly status: string;
  readonly totalCost: number;
  readonly url: string;
  readonly guest: { readonly lastName: string; readonly email: string };
  readonly payment: CardBody[];
  readonly cancellationPolicy: BookingDetailsView['cancellationPolicy'];
}

/** A transaction as its operation or a list shows it. */
export interface TransactionBody {
  readonly id: number;
  readonly status: string;
  readonly amount: number;
  readonly creditCardFee: number;
  readonly transactionFee: number;
  readonly reference: string;
  readonly timeStamp: string;
  readonly scheduledTime: string;
  readonly expiryTime: string;
  readonly attempts: number;
  readonly type: string;
  /** Of the charge of a part of a plan. */
  readonly partId?: string;
  /** The declined charge that it was made in place of. */
  readonly replaces?: number;
  readonly preAuth?: true;
  readonly holdUntil?: string;
  readonly initiator?: string;
  readonly cardDetails: {
    readonly token: string;
    readonly cardType: string;
    readonly cardNumber: string;
  };
  readonly refunds: RefundBody[];
}

/** A refund record. */
export interface RefundBody {
  readonly id: number;
  readonly status: string;
  readonly amount: number;
  readonly reference: string;
  readonly origin?: string;
}

/** A line of the acquirer's ledger. */
export interface LedgerBody {
  readonly time: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
  readonly idempotencyKey: string;
  readonly property: string;
}

/** An operation in the OpenAPI document. */
export interface OperationBody {
  readonly security?: Record<string, string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody: { readonly required: boolean };
  readonly responses: Record<string, unknown>;
}

/** An application. */
export interface ApplicationBody {
  readonly applicationNumber: string;
  readonly contactId: number;
  readonly currentStatus: string;
  readonly [field: string]: unknown;
}

/** A run of an export. */
export interface RunBody {
  readonly runId: string;
  readonly variant: string;
  readonly date: string;
  readonly cause: string;
  readonly status: string;
  readonly rows: number;
  readonly expectedRows: number;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly failure: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

/** A message to a PMS as ops see it. */
export interface MessageBody {
  readonly messageId: string;
  readonly messageType: string;
  readonly reference: string;
  readonly status: string;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
}
