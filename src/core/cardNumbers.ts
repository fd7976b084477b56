import { cardNumber as validate } from 'card-validator/dist/card-number.js';
import passesLuhn from 'card-validator/dist/luhn-10.js';

/** The parts of a card number that the service may store. It never stores the number itself. */
export interface CardFacts {
  /** Lower-case brand kind, such as `visa` or `amex`. */
  readonly brand: string;
  readonly last4: string;
  /** Every digit but the last three as X, in the brand's groups joined by dashes. */
  readonly masked: string;
}

/** By default the library skips the Luhn check for UnionPay. */
const EVERY_BRAND = { luhnValidateUnionPay: true };

/**
 * The storable parts of a card number. Ignores spaces and dashes. Null when the Luhn check fails, or when the brand
 * or its length is wrong.
 */
export function cardFacts(cardNumber: string): CardFacts | null {
  const digits = cardNumber.replace(/[\s\p{Pd}]/gu, '');
  const verdict = validate(digits, EVERY_BRAND);
  if (!verdict.isValid || verdict.card === null) return null;
  const brand = brandSlug(verdict.card.type);
  return { brand, last4: digits.slice(-4), masked: mask(digits, brand) };
}

/** The same facts when an acquirer reports only brand and last four digits. The brand gives the length. */
export function factsOfLastDigits(brand: string, last4: string): CardFacts {
  const hidden = '0'.repeat(lengthOf(brand) - last4.length);
  return { brand, last4, masked: mask(`${hidden}${last4}`, brand) };
}

function lengthOf(brand: string): number {
  if (brand === 'amex') return 15;
  return brand === 'diners' ? 14 : 16;
}

/** The brand as bookings show it: `visa` becomes `Visa`. */
export function capitalisedBrand(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

const LONGEST = 19;

/** How card numbers begin, and how long they are (interface: Card numbers). */
const CARD_NUMBER = /^(?:(?=\d{13,19}$)(?:[34569]|2[2-7]|81)\d+|1\d{14})$/;

/** How cards show their number: the lengths of its groups. */
const CARD_FORMS: readonly string[] = ['4-4-4-4', '4-6-5'];

/** The numbers of groups in these forms. */
const GROUPS_OF_CARDS = [4, 3];

/** The most digits of a phone number with its country code (ITU-T E.164). */
const LONGEST_PHONE = 15;

/**
 * Whether a free text contains a card number (interface: Card numbers). Reads digits of any script, and ignores
 * everything between them except letters. The number may begin and end at any group of digits.
 */
export function holdsCardNumber(text: string): boolean {
  return runsOf(text).some(({ groups }) => groups.some((_, start) => beginsCard(groups, start)));
}

/** Whether an identifier contains a run of digits that is a card number, or is one that is written in groups. */
export function identifierHoldsCardNumber(text: string): boolean {
  const runs = runsOf(text);
  if (runs.some(({ groups }) => groups.some(isCardNumber))) return true;
  const [whole, ...others] = runs;
  return whole !== undefined && others.length === 0 && isWrittenCard(whole.groups);
}

/**
 * Whether a phone or confirmation number contains a card number: a run of digits, or groups in the form of a card. A
 * number with `+` or `00` and at most 15 digits is a phone.
 */
export function phoneHoldsCardNumber(text: string): boolean {
  return runsOf(text).some(
    (run) =>
      !isPhone(run) &&
      run.groups.some(
        (group, start) =>
          isCardNumber(group) ||
          GROUPS_OF_CARDS.some((count) => isWrittenCard(run.groups.slice(start, start + count))),
      ),
  );
}

interface Run {
  readonly text: string;
  /** Digits that nothing interrupts, in order. */
  readonly groups: readonly string[];
}

/** Modifier letters are none here: one of them is the dash of Japanese keyboards. */
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;

function runsOf(text: string): Run[] {
  const parts = withAsciiDigits(text).split(LETTER);
  return parts.map((part) => ({ text: part, groups: part.match(/\d+/g) ?? [] }));
}

/** Replaces the digits of every script, also raised and circled ones. */
function withAsciiDigits(text: string): string {
  return text
    .replace(/\p{No}/gu, (numeral) => numeral.normalize('NFKC'))
    .replace(/(?!\d)\p{Nd}/gu, asciiDigit);
}

/** Unicode keeps the ten digits of a script together, zero first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** Whether a card number begins at a group and ends with it or a later one. */
function beginsCard(groups: readonly string[], start: number): boolean {
  let digits = '';
  for (const group of groups.slice(start, start + LONGEST)) {
    digits += group;
    if (digits.length > LONGEST) return false;
    if (isCardNumber(digits)) return true;
  }
  return false;
}

/** Whether all groups together are a card number as cards show it. */
function isWrittenCard(groups: readonly string[]): boolean {
  const form = groups.map(({ length }) => length).join('-');
  return CARD_FORMS.includes(form) && isCardNumber(groups.join(''));
}

function isPhone({ text, groups }: Run): boolean {
  const digits = groups.join('');
  if (/^\D*[+\uff0b]\D*\d/.test(text)) return digits.length <= LONGEST_PHONE;
  return digits.startsWith('00') && digits.length - 2 <= LONGEST_PHONE;
}

function isCardNumber(digits: string): boolean {
  return CARD_NUMBER.test(digits) && passesLuhn(digits);
}

function brandSlug(type: string): string {
  if (type === 'american-express') return 'amex';
  if (type === 'diners-club') return 'diners';
  return type;
}

function mask(digits: string, brand: string): string {
  const hidden = 'X'.repeat(digits.length - 3) + digits.slice(-3);
  if (brand === 'amex') return hidden.replace(/(.{4})(.{6})/, '$1-$2-');
  return hidden.replace(/.{4}(?=.)/g, '$&-');
}
