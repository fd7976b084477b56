import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { clients, endedSessions, exportUsers, keyringKeys } from './accessTables.ts';
import { applications, contacts, customerMoves, customers } from './applicationTables.ts';
import { bookings, bookingWords, owedBookings, owedDays, owedProgress } from './bookingTables.ts';
import { cardEntries, cardRequests, cards } from './cardTables.ts';
import {
  bankLines,
  disbursementItems,
  disbursements,
  payoutProgress,
} from './disbursementTables.ts';
import { disputeEvidence, disputes } from './disputeTables.ts';
import { webhookDeliveries, webhookEndpoints } from './eventTables.ts';
import { exportFiles, exportRuns } from './exportTables.ts';
import { guestActs } from './guestActTables.ts';
import { history } from './historyTables.ts';
import { homes, movedChanges, moves, movingProperties, thisDatabase } from './homeTables.ts';
import {
  archivedBookings,
  archivedMovements,
  archivedPayments,
  archivedReferences,
  erasures,
  retentionProgress,
} from './lifeTables.ts';
import { localMailbox, mails, suppressedAddresses } from './mailTables.ts';
import { refunds, transactions } from './moneyTables.ts';
import { ledgerReports, outbox } from './outboxTables.ts';
import { paymentPlans } from './planTables.ts';
import { merchantAccounts, properties } from './propertyTables.ts';
import { exceptions, reconciliationRuns } from './reconciliationTables.ts';
import { idempotencyKeys, secretAnswers, settingsChanges } from './recordTables.ts';
import { recoveries } from './recoveryTables.ts';
import { inventory, nightlyRates, roomCatalogues, roomRestrictions } from './roomTables.ts';
import { settlements } from './settlementTables.ts';
import { passkeys, signInLinks, staffSessions, users } from './staffTables.ts';
import { dayFailures, daySums, daySumsProgress } from './sumTables.ts';

/** Of whom the texts of a table tell. Columns by their names in TypeScript. */
export interface Held {
  readonly table: SQLiteTable;
  /** Of a guest: an erasure takes it away, and a guest's own export shows it (interface: Erase a guest). */
  readonly guest: readonly string[];
  /** Of the people of a hotel, and of the service's operators. */
  readonly staff: readonly string[];
  /** Of nobody: ids, days, codes, settings of a property, words of the service and of acquirers. */
  readonly nobody: readonly string[];
}

/**
 * What every column of text or bytes holds. A new one belongs here: a test fails until it is. Erasures, the export of what
 * is held of a guest, and the search of all stores after an erasure go by this list.
 */
export const HELD: readonly Held[] = [
  held(clients, { nobody: ['id', 'scopes', 'secretDigest'], staff: ['name'] }),
  held(exportUsers, { nobody: ['portfolio', 'secretDigest'], staff: ['username'] }),
  held(endedSessions, { nobody: ['id'] }),
  held(keyringKeys, { nobody: ['id'] }),
  held(contacts, { guest: ['email'] }),
  held(customers, {}),
  held(customerMoves, {}),
  held(applications, {
    guest: [
      'email',
      'gender',
      'nationality',
      'city',
      'state',
      'country',
      'dateOfBirth',
      'university',
      'courseName',
      'userAgent',
      'agent',
    ],
    nobody: ['applicationNumber', 'arrival', 'departure', 'roomType', 'rateType'].concat(
      'tenantApplications',
    ),
  }),
  held(bookings, {
    guest: ['lastName', 'email', 'firstName', 'phone', 'eta', 'notes', 'guest', 'searchWords'],
    nobody: [
      'reference',
      'arrival',
      'departure',
      'source',
      'pmsConfirmationNumber',
      'roomStays',
      'cardToken',
      'cancellationPolicy',
    ],
  }),
  held(bookingWords, { guest: ['word'] }),
  held(owedBookings, { nobody: ['arrival'] }),
  held(owedDays, { nobody: ['arrival'] }),
  held(owedProgress, {}),
  held(cards, {
    guest: ['holderName'],
    nobody: [
      'token',
      'gatewayToken',
      'gatewayAccount',
      'brand',
      'last4',
      'masked',
      'issuerCountry',
      'requestId',
      'virtual',
    ],
  }),
  held(cardEntries, { nobody: ['attempt', 'linkId'] }),
  held(cardRequests, { guest: ['email'], nobody: ['id'] }),
  held(disbursements, { nobody: ['id', 'description', 'arrivalDate'] }),
  held(disbursementItems, {
    nobody: ['id', 'disbursementId', 'gatewayTransactionId', 'description'],
  }),
  held(payoutProgress, { nobody: ['source', 'position'] }),
  held(disputes, { nobody: ['id', 'reason', 'answerReference'] }),
  held(disputeEvidence, { guest: ['texts'], nobody: ['reference', 'disputeId', 'document'] }),
  held(webhookEndpoints, {
    nobody: ['id', 'url', 'types', 'secretSealed', 'previousSecretSealed'],
  }),
  held(webhookDeliveries, { guest: ['lastError'], nobody: ['endpointId'] }),
  held(exportRuns, {
    nobody: ['id', 'portfolio', 'date', 'objectKey', 'sha256', 'failure', 'rewrites'],
  }),
  held(exportFiles, { nobody: ['portfolio', 'date', 'runId'] }),
  held(guestActs, {
    guest: ['ipAddress', 'browser'],
    nobody: ['id', 'subjectId', 'language', 'words'],
  }),
  held(daySums, {
    staff: ['actor', 'actorName'],
    nobody: ['day', 'brand', 'agency'],
  }),
  held(dayFailures, { nobody: ['day', 'declineCode'] }),
  held(daySumsProgress, {}),
  held(history, {
    guest: ['detail', 'snapshot'],
    staff: ['actor', 'actorName'],
    nobody: ['subjectId', 'from', 'to', 'type', 'eventSalt', 'messageId', 'gatewayReference'],
  }),
  held(erasures, { staff: ['actor'], nobody: ['id', 'subject', 'bookings'] }),
  held(homes, { nobody: ['database'] }),
  held(moves, { nobody: ['id', 'from', 'to', 'failure'] }),
  held(movingProperties, {}),
  held(movedChanges, { nobody: ['table', 'key'] }),
  held(thisDatabase, {}),
  held(archivedBookings, {
    guest: ['lastName', 'email'],
    nobody: ['reference', 'objectKey', 'arrival'],
  }),
  held(retentionProgress, { nobody: ['day'] }),
  held(archivedMovements, { nobody: ['subjectKind', 'subjectId', 'movement', 'purpose'] }),
  held(archivedPayments, { nobody: ['status', 'purpose', 'takenFrom'] }),
  held(archivedReferences, { nobody: ['gatewayReference', 'reference', 'account'] }),
  held(bankLines, { nobody: ['id', 'date', 'description', 'disbursementId'] }),
  held(ledgerReports, { nobody: ['id', 'found'] }),
  held(paymentPlans, { guest: ['spec'], nobody: ['id', 'cardToken', 'parts'] }),
  held(settlements, { nobody: ['id', 'quoteId', 'terms', 'steps'] }),
  held(localMailbox, {
    guest: ['recipient', 'subject', 'text', 'html'],
    nobody: ['sender', 'replyTo', 'mailId'],
  }),
  held(mails, {
    guest: ['recipient'],
    nobody: ['id', 'eventType', 'subjectKind', 'subjectId', 'lastError', 'morning', 'summedUpIn'],
  }),
  held(suppressedAddresses, { nobody: ['digest', 'why'] }),
  held(transactions, {
    guest: ['description', 'returnUrl'],
    nobody: [
      'reference',
      'warnings',
      'replaces',
      'lowers',
      'quoteId',
      'cardToken',
      'otherCard',
      'scheduledTime',
      'expiryTime',
      'gatewayKey',
      'gatewayReference',
      'declineCode',
      'planId',
      'partId',
      'idempotencyKey',
    ],
  }),
  held(refunds, {
    guest: ['description'],
    staff: ['actor'],
    nobody: ['reference', 'commandReference', 'gatewayReference', 'idempotencyKey'],
  }),
  held(outbox, { guest: ['payload', 'lastError'], nobody: ['messageId'] }),
  held(properties, {
    staff: ['pmsUsername', 'contact'],
    nobody: [
      'id',
      'name',
      'site',
      'timeZone',
      'portfolio',
      'cardFeeByBrand',
      'feeRules',
      'country',
      'cardRecovery',
      'merchantAccount',
      'pmsUrl',
      'pmsPasswordSealed',
      'pmsNamespace',
      'channelCode',
      'guestMails',
      'branding',
      'webhookEndpoints',
      'retention',
      'planTemplates',
      'cancellationPolicy',
    ],
  }),
  held(merchantAccounts, { nobody: ['account'] }),
  held(exceptions, { guest: ['detail'], nobody: ['id', 'subject', 'ours', 'theirs'] }),
  held(reconciliationRuns, { nobody: ['id', 'account', 'cursor', 'lastError'] }),
  held(idempotencyKeys, {
    guest: ['answer'],
    nobody: ['operation', 'key', 'fingerprint', 'requestId', 'commandReference'],
  }),
  held(secretAnswers, {
    nobody: ['clientId', 'operation', 'key', 'fingerprint', 'answerSealed'],
  }),
  held(settingsChanges, {
    staff: ['actor', 'actorName', 'subject', 'from', 'to', 'detail'],
    nobody: ['place'],
  }),
  held(settlements, { nobody: ['id', 'quoteId', 'terms', 'steps'] }),
  held(recoveries, { nobody: ['cardToken', 'toldCard', 'reminderMail', 'answerCard'] }),
  held(inventory, { nobody: ['roomTypeCode', 'day'] }),
  held(nightlyRates, { nobody: ['roomTypeCode', 'rateTypeCode', 'day'] }),
  held(roomCatalogues, { nobody: ['roomTypes'] }),
  held(roomRestrictions, { nobody: ['roomTypeCode', 'day'] }),
  held(users, {
    staff: ['email', 'name'],
    nobody: ['id', 'portfolio', 'refundLimitCurrency'],
  }),
  held(signInLinks, { nobody: ['digest', 'userId', 'secretSealed'] }),
  held(staffSessions, { staff: ['device'], nobody: ['id', 'userId'] }),
  held(passkeys, { staff: ['device'], nobody: ['id', 'userId', 'publicKey'] }),
];

function held(table: SQLiteTable, told: Partial<Omit<Held, 'table'>>): Held {
  return { table, guest: [], staff: [], nobody: [], ...told };
}
