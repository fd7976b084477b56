/** The credentials that this service presents to a PMS. */
export interface PmsCredentials {
  readonly username: string;
  readonly password: string;
}

/** One message (pms: Envelope). */
export interface Envelope {
  /** A UUID, the same on every attempt. */
  readonly messageId: string;
  /** ISO 8601 with offset. */
  readonly timeStamp: string;
  readonly messageType: string;
  /** The members of this type of message, such as `BookingData`. */
  readonly members: Readonly<Record<string, unknown>>;
}

export interface OutgoingBody {
  readonly contentType: string;
  readonly body: string;
}

export function posted({ contentType, body }: OutgoingBody) {
  return { headers: { 'Content-Type': contentType }, body, wanted: 'text' } as const;
}

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
