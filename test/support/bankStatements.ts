/** Bank statements as banks write them, and texts that are none. */

/** A camt.053 with some entries. */
export function camt(entries: readonly string[], version = '02'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
<BkToCstmrStmt><GrpHdr><MsgId>M-1</MsgId><CreDtTm>2027-02-17T06:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S-1</Id><CreDtTm>2027-02-17T06:00:00</CreDtTm><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
<Bal><Amt Ccy="AUD">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2027-02-16</Dt></Dt></Bal>
${entries.join('\n')}
</Stmt></BkToCstmrStmt></Document>`;
}

interface EntryParts {
  readonly amount?: string;
  readonly currency?: string;
  readonly direction?: 'CRDT' | 'DBIT';
  readonly status?: string;
  readonly day?: string;
  readonly reference?: string;
  readonly text?: string;
  readonly details?: string;
}

/** An entry of 154.64 AUD on 16 February 2027, unless it is another. */
export function entry(parts: EntryParts = {}): string {
  const {
    amount = '154.64',
    currency = 'AUD',
    direction = 'CRDT',
    status = '<Sts>BOOK</Sts>',
  } = parts;
  const { day = '<BookgDt><Dt>2027-02-16</Dt></BookgDt>', details = '' } = parts;
  const { reference = '<AcctSvcrRef>REF-1</AcctSvcrRef>' } = parts;
  const { text = '<AddtlNtryInf>STRIPE PAYOUT po_1</AddtlNtryInf>' } = parts;
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${status}${day}${reference}${details}${text}</Ntry>`;
}

const good = camt([entry()]);
const withDoctype = (doctype: string) => good.replace('<Document', `${doctype}\n<Document`);

/** What no statement is: broken, hostile or foreign. */
export const HOSTILE_XML: Readonly<Record<string, string>> = {
  'no XML': 'hello',
  nothing: '',
  'broken off': good.slice(0, -20),
  'not closed in order': good.replace('</Stmt></BkToCstmrStmt>', '</BkToCstmrStmt></Stmt>'),
  'two documents': good + good.slice(good.indexOf('<Document')),
  'with a DOCTYPE': withDoctype('<!DOCTYPE Document>'),
  'with an entity of its own': withDoctype('<!DOCTYPE d [<!ENTITY a "1">]>'),
  'with an entity of a file': withDoctype('<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
  'with entities of entities': withDoctype(
    '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
  ),
  'with an unknown entity': good.replace('STRIPE', '&stripe;'),
  'nested without end': '<a>'.repeat(100_000),
  'nested in an entry': good.replace('STRIPE', '<a>'.repeat(1_000)),
  'full of attributes': `<Document ${Array.from({ length: 1_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
  'of a page': '<html><body><p>no statement</p></body></html>',
  'a report of the day': good
    .replaceAll('camt.053', 'camt.052')
    .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt'),
  'a payment order':
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn/></Document>',
  'empty but for its root': '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"/>',
  'without an amount': good.replace('>154.64<', '><'),
  'with an amount that is none': good.replace('154.64', '1e3'),
  'with more decimals than its currency': good.replace('154.64', '154.645'),
  'without a currency': good.replace(' Ccy="AUD">154', '>154'),
  'with an unknown currency': good.replace('Ccy="AUD">154', 'Ccy="XXZ">154'),
  'without a direction': good.replace(/<CdtDbtInd>CRDT<\/CdtDbtInd><Sts>/, '<Sts>'),
  'without a day': good.replace(/<BookgDt>.*?<\/BookgDt>/, ''),
  'with a day that does not exist': good.replace(
    '<BookgDt><Dt>2027-02-16',
    '<BookgDt><Dt>2027-02-31',
  ),
};
