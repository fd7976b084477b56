/** An unreadable request, with the HTTP status of the answer. */
export class Unreadable extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
