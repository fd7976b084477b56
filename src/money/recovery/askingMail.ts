import { layOut, type MailProperty } from '../../platform/mail/layout.tsx';
import type { Mail } from '../../platform/mail/mail.ts';
import type { AskingWords } from './askingWords.ts';

/** Makes the e-mail that asks a guest for another card. */
export async function askingMail(
  to: string,
  property: MailProperty,
  { language, subject, heading, paragraphs, action, closing }: AskingWords,
  link: string,
): Promise<Mail> {
  const content = {
    language,
    subject,
    heading,
    opening: paragraphs,
    action: { label: action, url: link },
    closing,
  };
  return { id: null, to, ...(await layOut(property, content)) };
}
