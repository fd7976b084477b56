import { exponentOf, toMinor } from '../../core/money.ts';
import { parseIsoDate } from '../../core/time.ts';
import { UnreadableText } from '../../core/unreadable.ts';
import { descriptionOf, MOST_LINES, referenceOf, type StatementLine } from './rules/lines.ts';

/** The namespaces of camt.053, in any version; some banks write none. */
const NAMESPACE = /^(?:|urn:(?:iso:std:iso:20022:tech|swift):xsd:camt\.053\.\d{3}\.\d{2})$/;

const ENTRY = 'Document/BkToCstmrStmt/Stmt/Ntry';
const ENTRY_DEPTH = 4;

/** More than any camt.053 has: a hostile document would fill memory with them. */
const DEEPEST = 40;
const MOST_ATTRIBUTES = 40;
const MOST_TEXTS = 200;

/** The texts of an entry by their paths in it. Of an amount, `@` is the currency. */
type EntryTexts = Map<string, string[]>;

/**
 * Reads the booked entries of a camt.053 of any version, one by one as the document is read: no tree of it is made. A
 * document with a DOCTYPE is refused, and entities other than XML's own are not known. Throws {@link UnreadableText}.
 */
export async function readCamt(text: string): Promise<StatementLine[]> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const reading = new CamtReading();
  parser.on('error', () => refuse('The text is not well-formed XML.'));
  parser.on('doctype', () => refuse('A document with a DOCTYPE is not taken.'));
  parser.on('opentagstart', () => reading.begin());
  parser.on('attribute', () => reading.countAttribute());
  parser.on('opentag', ({ attributes, local, uri }) => {
    reading.open(local, uri, attributes['Ccy']?.value ?? '');
  });
  parser.on('text', (part) => reading.add(part));
  parser.on('cdata', (part) => reading.add(part));
  parser.on('closetag', () => reading.close());
  parser.write(text.replace(/^\uFEFF/, '')).close();
  if (!reading.isStatement) refuse(NO_STATEMENT);
  return reading.lines.filter(({ amountMinor }) => amountMinor !== 0);
}

/** Where the reading of a document is, and what it has found. */
class CamtReading {
  readonly lines: StatementLine[] = [];
  isStatement = false;
  readonly #path: string[] = [];
  #entry: EntryTexts | null = null;
  #entries = 0;
  #attributes = 0;
  /** The text since the last tag. */
  #text = '';

  begin(): void {
    this.#attributes = 0;
  }

  countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > MOST_ATTRIBUTES) refuse('An element has too many attributes.');
  }

  open(local: string, uri: string, currency: string): void {
    this.#path.push(local);
    this.#text = '';
    const depth = this.#path.length;
    if (depth > DEEPEST) refuse('The document is nested too deeply.');
    if (depth === 1 && (local !== 'Document' || !NAMESPACE.test(uri))) refuse(NO_STATEMENT);
    if (depth === 2 && local !== 'BkToCstmrStmt') refuse(NO_STATEMENT);
    if (depth === 2) this.isStatement = true;
    if (this.#path.join('/') === ENTRY) this.#beginEntry();
    if (depth === ENTRY_DEPTH + 1 && local === 'Amt') this.#entry?.set('Amt@', [currency]);
  }

  #beginEntry(): void {
    this.#entries += 1;
    if (this.#entries > MOST_LINES) refuse(`A statement may have at most ${MOST_LINES} entries.`);
    this.#entry = new Map();
  }

  add(part: string): void {
    if (this.#entry) this.#text += part;
  }

  close(): void {
    const entry = this.#entry;
    const depth = this.#path.length;
    if (entry && depth > ENTRY_DEPTH)
      keep(entry, this.#path.slice(ENTRY_DEPTH).join('/'), this.#text);
    if (entry && depth === ENTRY_DEPTH) {
      if (isBooked(entry)) this.lines.push(lineOf(entry, this.#entries));
      this.#entry = null;
    }
    this.#text = '';
    this.#path.pop();
  }
}

const NO_STATEMENT = 'The text is no camt.053 (BankToCustomerStatement).';

function refuse(message: string): never {
  throw new UnreadableText(message);
}

function keep(entry: EntryTexts, path: string, text: string): void {
  const texts = entry.get(path) ?? [];
  if (text.trim() !== '' && texts.length < MOST_TEXTS) entry.set(path, [...texts, text.trim()]);
}

/** A statement may have entries that are pending or for information only. */
function isBooked(entry: EntryTexts): boolean {
  const status = first(entry, 'Sts/Cd') ?? first(entry, 'Sts');
  return status === undefined || status === 'BOOK';
}

function lineOf(entry: EntryTexts, number: number): StatementLine {
  const currency = first(entry, 'Amt@') ?? '';
  const exponent = exponentOf(currency);
  if (exponent === null) refuse(`Entry ${number} has no currency of ISO 4217.`);
  const amount = /^\d{1,15}(?:\.\d{1,5})?$/.exec(first(entry, 'Amt') ?? '')?.[0];
  const minor = amount === undefined ? null : toMinor(amount, exponent, 0, Number.MAX_SAFE_INTEGER);
  if (!minor?.ok) refuse(`Entry ${number} has no amount of its currency.`);
  const direction = first(entry, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    refuse(`Entry ${number} is neither a credit nor a debit.`);
  }
  return {
    date: dateOf(entry, number),
    currency,
    amountMinor: direction === 'CRDT' ? minor.value : -minor.value || 0,
    description: descriptionOf(DESCRIBING.flatMap((path) => entry.get(path) ?? [])),
    reference: referenceOf(first(entry, 'AcctSvcrRef') ?? onlyDetail(entry)),
  };
}

/** Where an entry says what it is. */
const DESCRIBING = [
  'AddtlNtryInf',
  'NtryDtls/TxDtls/RmtInf/Ustrd',
  'NtryDtls/TxDtls/RmtInf/Strd/CdtrRefInf/Ref',
  'NtryDtls/TxDtls/AddtlTxInf',
  'NtryDtls/TxDtls/Refs/EndToEndId',
  'NtryDtls/TxDtls/Refs/InstrId',
  'NtryDtls/TxDtls/Refs/TxId',
  'NtryDtls/TxDtls/Refs/PmtInfId',
];

/** The bank's reference of an entry's one detail. Those of a batch are no reference of the whole. */
function onlyDetail(entry: EntryTexts): string | undefined {
  const [only, ...others] = entry.get('NtryDtls/TxDtls/Refs/AcctSvcrRef') ?? [];
  return others.length === 0 ? only : undefined;
}

function dateOf(entry: EntryTexts, number: number): string {
  const text = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm']
    .map((path) => first(entry, path))
    .find((one) => one !== undefined);
  return parseIsoDate(text?.slice(0, 10) ?? '') ?? refuse(`Entry ${number} has no day of booking.`);
}

function first(entry: EntryTexts, path: string): string | undefined {
  return entry.get(path)?.[0];
}
