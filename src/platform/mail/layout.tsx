import { rgbOf, textOn } from '../../core/colours.ts';
import { type Language, wordsOf } from '../../core/words/words.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { Mail } from './mail.ts';

/** Whom a mail speaks for, and with what look. */
export type MailProperty = Pick<PropertyRow, 'name' | 'contact' | 'branding'>;

export interface MailFact {
  readonly name: string;
  readonly value: string;
}

/** What a mail says. The layout shows all of it twice: as text and as HTML. */
export interface MailContent {
  /** In which language it is written; English where it does not say. */
  readonly language?: Language | undefined;
  readonly subject: string;
  readonly heading: string;
  readonly opening: readonly string[];
  readonly action?: { readonly label: string; readonly url: string } | undefined;
  readonly facts?: readonly MailFact[] | undefined;
  /** Amounts that add up to the last one. */
  readonly sum?: readonly MailFact[] | undefined;
  readonly lists?: readonly MailList[] | undefined;
  readonly closing?: readonly string[] | undefined;
}

export interface MailList {
  readonly heading: string;
  readonly items: readonly (string | MailLink)[];
}

/** A text that leads somewhere. */
interface MailLink {
  readonly text: string;
  readonly url: string;
}

/**
 * Lays out a mail: the property's name and contact stand in each, and answers go to the contact's address
 * (interface: Mails).
 */
export async function layOut(
  property: MailProperty,
  content: MailContent,
): Promise<Omit<Mail, 'id' | 'to'>> {
  const page = <MailPage property={property} content={content} />;
  return {
    fromName: property.name,
    replyTo: property.contact?.email ?? null,
    subject: content.subject,
    text: textOf(property, content),
    html: `<!doctype html>${await page}`,
  };
}

/** The property's contact, as names and values. */
function contactFacts(
  { contact }: MailProperty,
  language: Language | undefined,
): (MailFact & { readonly href?: string })[] {
  const { frame: footer } = wordsOf(language ?? 'en');
  const { phone, email, website, termsUrl, taxId } = contact ?? {};
  return [
    ...(phone === undefined ? [] : [{ name: footer.phone, value: phone }]),
    ...(email === undefined ? [] : [{ name: footer.email, value: email, href: `mailto:${email}` }]),
    ...(website === undefined ? [] : [{ name: footer.website, value: website, href: website }]),
    ...(termsUrl === undefined ? [] : [{ name: footer.terms, value: termsUrl, href: termsUrl }]),
    ...(taxId === undefined ? [] : [{ name: footer.taxId, value: taxId }]),
  ];
}

/** Names and values as lines of text, the values in one column. */
function column(facts: readonly MailFact[]): string {
  const width = Math.max(0, ...facts.map(({ name }) => name.length)) + 2;
  return facts.map(({ name, value }) => `${`${name}:`.padEnd(width)}${value}`).join('\n');
}

function textOf(property: MailProperty, content: MailContent): string {
  const { heading, opening, action, facts = [], sum = [], lists = [], closing = [] } = content;
  const address = property.contact?.address;
  const parts = [
    heading,
    ...opening,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(facts.length > 0 ? [column(facts)] : []),
    ...(sum.length > 0 ? [column(sum)] : []),
    ...lists.map(({ heading: of, items }) => [of, ...items.map(itemText)].join('\n')),
    ...closing,
    [
      property.name,
      ...(address === undefined ? [] : [address]),
      ...contactFacts(property, content.language).map(({ name, value }) => `${name}: ${value}`),
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function itemText(item: string | MailLink): string {
  return typeof item === 'string' ? `- ${item}` : `- ${item.text}\n  ${item.url}`;
}

/** Mail programs that know no media query show the light colours, which stand in the tags. */
const DARK = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #121212 !important; }
  .card { background: #1e1e1e !important; color: #ececec !important; }
  .logo { padding: 4px; background: #ffffff; border-radius: 4px; }
  .muted { color: #bdbdbd !important; }
  .line { border-color: #4a4a4a !important; }
  .link { color: #a8c7fa !important; }
  .button { background: #a8c7fa !important; color: #062e6f !important; }
}`;

const style = {
  page: 'margin: 0; padding: 16px; background: #f2f2f2',
  card: 'box-sizing: border-box; max-width: 600px; margin: 0 auto; padding: 24px; background: #ffffff; color: #1c1c1c; font-family: Arial, Helvetica, sans-serif; font-size: 16px; line-height: 1.5; overflow-wrap: anywhere',
  name: 'margin: 0; font-size: 14px; color: #555555',
  heading: 'margin: 0 0 16px; font-size: 24px; line-height: 1.25',
  listHeading: 'margin: 24px 0 8px; font-size: 18px; line-height: 1.25',
  list: 'margin: 0; padding-left: 24px',
  table: 'width: 100%; margin: 16px 0; border-collapse: collapse; font-size: 16px',
  factName:
    'padding: 4px 16px 4px 0; text-align: left; vertical-align: top; font-weight: normal; color: #555555; width: 40%',
  factValue: 'padding: 4px 0; vertical-align: top',
  sumName: 'padding: 8px 16px 8px 0; text-align: left; font-weight: normal',
  sumValue: 'padding: 8px 0; text-align: right; white-space: nowrap',
  totalName: 'padding: 8px 16px 8px 0; text-align: left; border-top: 1px solid #c4c4c4',
  totalValue:
    'padding: 8px 0; text-align: right; white-space: nowrap; font-weight: bold; border-top: 1px solid #c4c4c4',
  button:
    'display: inline-block; padding: 12px 20px; background: #0b57d0; color: #ffffff; border-radius: 6px; text-decoration: none; font-weight: bold',
  footer:
    'margin-top: 32px; padding-top: 16px; border-top: 1px solid #c4c4c4; font-size: 14px; color: #555555',
  footerLine: 'margin: 0',
  address: 'margin: 0; white-space: pre-line',
  logo: 'display: block; max-width: 100%; max-height: 48px; margin: 0 0 8px',
  link: 'color: #0b57d0',
};

function MailPage({
  property,
  content,
}: Readonly<{ property: MailProperty; content: MailContent }>) {
  const { subject, heading, opening, action, facts = [], sum = [], lists = [] } = content;
  const { colour, logoUrl } = property.branding ?? {};
  return (
    <html lang={wordsOf(content.language ?? 'en').language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style>{DARK}</style>
      </head>
      <body class="page" style={style.page}>
        <div
          class="card"
          style={colour ? `${style.card}; border-top: 4px solid ${colour}` : style.card}
        >
          <main>
            {logoUrl !== undefined && <img class="logo" style={style.logo} src={logoUrl} alt="" />}
            <p class="muted" style={style.name}>
              {property.name}
            </p>
            <h1 style={style.heading}>{heading}</h1>
            {opening.map((sentence) => (
              <p>{sentence}</p>
            ))}
            {action && (
              <p>
                <a {...buttonLook(colour)} href={action.url}>
                  {action.label}
                </a>
              </p>
            )}
            <Rows facts={facts} />
            <Rows facts={sum} isSum />
            {lists.map(({ heading: of, items }) => (
              <section>
                <h2 style={style.listHeading}>{of}</h2>
                <ul style={style.list}>
                  {items.map((item) => (
                    <li>{typeof item === 'string' ? item : <Link {...item} />}</li>
                  ))}
                </ul>
              </section>
            ))}
            {content.closing?.map((sentence) => (
              <p>{sentence}</p>
            ))}
          </main>
          <Footer property={property} language={content.language} />
        </div>
      </body>
    </html>
  );
}

function Link({ text, url }: MailLink) {
  return (
    <a class="link" style={style.link} href={url}>
      {text}
    </a>
  );
}

/** A button has the property's colour, the same in the dark, or ours. */
function buttonLook(colour: string | undefined): { class?: string; style: string } {
  if (colour === undefined) return { class: 'button', style: style.button };
  const text = textOn(rgbOf(colour.slice(1)));
  return { style: `${style.button}; background: ${colour}; color: ${text}` };
}

/** Names and values; of a sum, the last one is the total. */
function Rows({ facts, isSum = false }: Readonly<{ facts: readonly MailFact[]; isSum?: boolean }>) {
  if (facts.length === 0) return null;
  return (
    <table style={style.table}>
      {facts.map(({ name, value }, index) => {
        const kind = !isSum ? 'fact' : index < facts.length - 1 ? 'sum' : 'total';
        return (
          <tr>
            <th scope="row" class={isSum ? 'line' : 'muted'} style={style[`${kind}Name`]}>
              {name}
            </th>
            <td class={isSum ? 'line' : undefined} style={style[`${kind}Value`]}>
              {value}
            </td>
          </tr>
        );
      })}
    </table>
  );
}

function Footer({
  property,
  language,
}: Readonly<{ property: MailProperty; language: Language | undefined }>) {
  const address = property.contact?.address;
  return (
    <footer class="muted line" style={style.footer}>
      <p style={style.footerLine}>{property.name}</p>
      {address !== undefined && <p style={style.address}>{address}</p>}
      {contactFacts(property, language).map(({ name, value, href }) => (
        <p style={style.footerLine}>
          {name}: {href === undefined ? value : <Link text={value} url={href} />}
        </p>
      ))}
    </footer>
  );
}
