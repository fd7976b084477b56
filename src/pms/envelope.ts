/** What the PMS knows this service by. */
export interface PmsCredentials {
  readonly username: string;
  readonly password: string;
}

/** One message as it goes over the wire (interface: 2.7). */
export interface Envelope {
  /** A UUID, the same on every try. */
  readonly messageId: string;
  /** ISO 8601 with offset. */
  readonly timeStamp: string;
  readonly messageType: string;
  /** The members of this type of message, such as `BookingData`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** What a PMS is sent: a body and what it is. */
export interface OutgoingBody {
  readonly contentType: string;
  readonly body: string;
}

/** An envelope as JSON (interface: 2.7 and 4.7). */
export function jsonBody(envelope: Envelope, credentials: PmsCredentials): OutgoingBody {
  const { messageId, timeStamp, messageType, members } = envelope;
  const body = {
    Authentication: { Username: credentials.username, Password: credentials.password },
    MessageID: messageId,
    TimeStamp: timeStamp,
    MessageType: messageType,
    ...members,
  };
  return { contentType: 'application/json', body: JSON.stringify(body) };
}
