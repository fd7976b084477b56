import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { importStatement, type SentStatement } from '../../disbursements/bank/importStatement.ts';
import { listBankLines } from '../../disbursements/bank/list.ts';
import { isDateFormat } from '../../disbursements/bank/readCsv.ts';
import { bankLineSchema, bankLineView, lineStatusSchema } from '../../disbursements/bank/views.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import { code, name } from '../../http/fields.ts';
import { LARGE_BODY_LIMIT_BYTES } from '../../http/json.ts';
import { listedDay } from '../../http/listFields.ts';
import { propertyList } from '../../http/listOperation.ts';
import { type Api, anyPropertyOperation } from '../../http/operation.ts';
import { onceBeside } from '../../operation/idempotency.ts';
import { shownPage } from '../../platform/db/page.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { named } from '../../platform/views.ts';
import { changedBy, keyWork } from '../calls.ts';

/** What may stand between columns. */
const DELIMITER = /^[\p{P}\p{S} \t]$/u;

const csvColumns = named('BankStatementColumns', {
  date: name(200).describe('the header of the day of booking'),
  amount: name(200).describe('the header of the amount, negative for what leaves'),
  description: name(200).describe('the header of what the bank wrote'),
  delimiter: z
    .string()
    .length(1, { abort: true })
    .regex(DELIMITER, 'Use one sign, or a tab.')
    .optional()
    .describe('between columns; found out without it'),
  dateFormat: z
    .string()
    .max(20)
    .refine(isDateFormat, {
      params: { code: 'invalid_format' },
      error: 'Use YYYY, MM and DD once each, with signs between them.',
    })
    .optional()
    .openapi({ example: 'DD.MM.YYYY' })
    .describe('without it, `YYYY-MM-DD` or `DD-MM-YYYY`'),
});

const statement = z
  .object({
    property: code(64).optional().describe('for administrators: whose statement it is'),
    format: z.enum(['camt.053', 'csv']).describe('of the text'),
    text: z.string().describe('the statement, as the bank wrote it'),
    csv: csvColumns.optional().describe('which columns of a CSV file say what; required for one'),
  })
  .check(
    bodyCheck(({ csv, format }) =>
      format === 'csv' && csv === undefined
        ? [fieldIssue('csv', 'required', 'Name the columns of the file.')]
        : [],
    ),
  );

const count = z.int().min(0);

export function registerBankStatements(api: Api): void {
  anyPropertyOperation(api, {
    path: '/bank-statement/v1/import',
    summary: 'Import a bank statement, and find the disbursements of its lines',
    scope: 'payments',
    idempotent: 'import-statement',
    limitBytes: LARGE_BODY_LIMIT_BYTES,
    body: statement,
    answer: {
      lines: count.describe('credits and debits of the statement'),
      matched: count.describe('new lines whose disbursement is known'),
      unmatched: count.describe('other new lines'),
      repeated: count.describe('lines that were imported before'),
    },
    handle: (request) => {
      const { body, c, callerKey, property } = request;
      const { csv, format, text } = body;
      const sent: SentStatement =
        format === 'csv' && csv ? { format, text, csv } : { format: 'camt.053', text };
      const by = changedBy(c);
      const work = { database: c.get('database'), property, nowMs: propertyNow(property), by };
      return onceBeside(keyWork(request), callerKey, () => importStatement(work, sent));
    },
  });

  propertyList(api, {
    path: '/bank-statement/v1/list',
    summary: "List the lines of the property's bank statements, newest first",
    scope: 'payments:read',
    list: 'bankLines',
    filter: {
      status: lineStatusSchema.optional().describe('only these'),
      from: listedDay.optional().describe('inclusive'),
      to: listedDay.optional().describe('inclusive'),
    },
    inOrder: ['from', 'to'],
    member: 'lines',
    entries: z.array(bankLineSchema).describe('the latest day first'),
    read: async ({ c, body, property }, part) => {
      const page = await listBankLines(c.get('database'), property.id, body, part);
      return shownPage(page, bankLineView);
    },
  });
}
