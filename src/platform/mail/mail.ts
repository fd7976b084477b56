/** A mail to a guest, as text and as HTML. */
export interface Mail {
  readonly to: string;
  /** The display name of the sender: the property. */
  readonly fromName: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
