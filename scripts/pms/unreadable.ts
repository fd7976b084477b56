/** A request that is no message at all, and the HTTP status that says so. */
export class Unreadable extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
