/** Messages as a local start keeps them. */
import { http } from './api.ts';

/** A message to a guest. */
export interface MailBody {
  readonly to: string;
  readonly from: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A time in UTC. */
  readonly at: string;
}

/** The messages of the local mailbox, newest first. */
export async function mailbox(): Promise<MailBody[]> {
  const response = await http('/dev/mailbox', { headers: { Accept: 'application/json' } });
  return ((await response.json()) as { messages: MailBody[] }).messages;
}

/** The link of the newest message. */
export async function newestLink(): Promise<string> {
  const [newest] = await mailbox();
  return /https?:\/\/\S+/.exec(newest?.text ?? '')?.[0] ?? '';
}
