import type { Mail } from '../../platform/mail/mail.ts';
import type { AskingWords } from './askingWords.ts';

/** Makes the e-mail that asks a guest for another card. */
export async function askingMail(
  to: string,
  fromName: string,
  { subject, heading, paragraphs, action, closing }: AskingWords,
  link: string,
): Promise<Mail> {
  const message = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
        <h1>{heading}</h1>
        {paragraphs.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
        <p>
          <a href={link}>{action}</a>
        </p>
        {closing.map((paragraph) => (
          <p>{paragraph}</p>
        ))}
      </body>
    </html>
  );
  return {
    to,
    fromName,
    subject,
    text: [...paragraphs, `${action}:\n${link}`, ...closing].join('\n\n'),
    html: `<!doctype html>${await message}`,
  };
}
