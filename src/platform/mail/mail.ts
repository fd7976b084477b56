export interface Mail {
  /** Names the mail in the outbox, so that a sender can know it again; null for one that is sent at once or not at all. */
  readonly id: string | null;
  readonly to: string;
  /** The display name of the sender: the property. */
  readonly fromName: string;
  /** Where answers go; null for nowhere in particular. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * What came of sending a mail. `bounced`: the address takes no mail, now or later. `failed`: it may have been sent or
 * not, and can be tried again; `why` names no person.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'bounced' | 'failed'; readonly why: string }
  | { readonly kind: 'not-configured' };
