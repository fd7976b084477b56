/** A message to a guest, in both forms that mail programs show. */
export interface Mail {
  readonly to: string;
  /** Whose guest it is: stands beside the sender's address. */
  readonly fromName: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
