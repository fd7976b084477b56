import { agentFields, plainFields } from '../../records/applications/rules/fields.ts';
import { accounts } from '../../records/history/rules/postings.ts';
import {
  applicationColumns,
  bookingColumns,
  type Column,
  customerColumns,
  type ScalarType,
} from '../columns.ts';
import { ledgerColumns } from './ledgerLines.ts';
import type { Variant } from './variants.ts';

/** A column in a BigQuery schema file, as `bq load` reads it. */
export type SchemaField = { readonly name: string; readonly description: string } & (
  | { readonly type: ScalarType; readonly mode: 'NULLABLE' }
  | {
      readonly type: 'RECORD';
      readonly mode: 'NULLABLE' | 'REPEATED';
      readonly fields: readonly SchemaField[];
    }
);

export function bigQuerySchema(variant: Variant): SchemaField[] {
  return columnsOf(variant).map((column) => schemaField(variant, '', column));
}

function columnsOf(variant: Variant): readonly Column[] {
  switch (variant) {
    case 'propertySystem':
      return [...customerColumns((column) => column, ''), bookings];
    case 'applicationConsole':
      return applicationColumns('');
    case 'ledger':
      return ledgerColumns;
  }
}

const bookings: Column = {
  name: 'bookings',
  type: 'RECORD',
  repeated: true,
  columns: bookingColumns(''),
};

function schemaField(variant: Variant, within: string, column: Column): SchemaField {
  const { name } = column;
  const description = meaningOf(variant, within, name);
  if (column.type !== 'RECORD') return { name, type: column.type, mode: 'NULLABLE', description };
  return {
    name,
    type: 'RECORD',
    mode: column.repeated ? 'REPEATED' : 'NULLABLE',
    description,
    fields: column.columns.map((one) => schemaField(variant, name, one)),
  };
}

/** What readers of both files learn of a column, beside what applications say of their own fields. */
const shared: Readonly<Record<string, string>> = {
  entryId: "the PMS's number of the customer; null until linked",
  property: 'its identifier',
  agent: 'who sold the stay',
  bookings: "the customer's",
  bookingId: "the PMS's number of the booking",
  bookingType: '`Online`: made through this service; `Offline`, `Renewal`: made in the PMS',
  applicationNumber: "this service's number",
  email: "the applicant's",
  contactId: 'one per e-mail address and property',
  arrival: 'the first night',
  departure: 'the day of departure',
  nightsDuration: 'from the arrival to the departure',
  applicationTime: 'when it was made',
  heldTime: 'when it reached that status',
  reservedTime: 'when it reached that status',
  inRoomTime: 'when it reached that status',
  historyTime: 'when it reached that status',
  cancelledTime: 'when it reached that status',
  currency: 'ISO 4217 code',
  weeklyRate: 'the price of a week',
  total: 'of the whole stay',
  tenantApplications: 'one for each tenancy that is applied for',
  tenantApplicationId: 'a UUID',
  tenantApplicationProcessId: 'a UUID',
  status: 'such as `NEW`',
  applicants: 'the applicant included',
  tenantApplicationApplicantId: "the applicant's",
  createdDateTime: 'in UTC',
  lastUpdatedDateTime: 'in UTC',
};

/** What a column means where the two files differ. */
const own: Readonly<Record<Variant, Readonly<Record<string, string>>>> = {
  propertySystem: {
    weeksDuration: 'weeks, to one decimal',
    currentStatus: '`Tentative`, `Held`, `Reserved`, `In Room`, `History` or `Cancelled`',
  },
  applicationConsole: {
    weeksDuration: 'weeks, rounded up',
    currentStatus:
      '`Tentative`, `Offered`, `Held`, `Reserved`, `In Room`, `History` or `Cancelled`',
  },
  ledger: {
    postingId: 'never used again',
    entryId: 'the same for all postings of an entry',
    date: "the property's day on which the entry was recorded",
    time: 'when it was recorded, by the clock of the property',
    account: accounts.map((account) => `\`${account}\``).join(', '),
    side: '`debit` or `credit`',
    amount: 'above 0, with the decimals of the currency',
    bookingReference: "the booking's reference; null for a payout",
    chargeId: 'the charge whose money moved; null for a payout',
    refundId: 'the refund, where it is one',
    disputeId: 'the dispute, where it is one',
    disbursementId: 'the payout, where it is one',
    description: 'what happened: see Ledger file',
  },
};

const fields: Readonly<Record<string, { readonly meaning: string }>> = plainFields;
const ofAgents: Readonly<Record<string, { readonly meaning: string }>> = agentFields;

/** What a column means; `within` is the record that has it, empty for a column of the line itself. */
function meaningOf(variant: Variant, within: string, name: string): string {
  const field = within === 'agent' ? ofAgents[name] : fields[name];
  const meaning = field?.meaning ?? own[variant][name] ?? shared[name];
  if (meaning === undefined) throw new Error(`The column ${name} has no meaning`);
  return meaning;
}
