import { createServer, type Server } from 'node:http';

/** A minimal PMS: confirms every message at once and records it. */
export interface LocalPms {
  readonly url: string;
  /** The received messages in order: id and booking. */
  readonly received: { readonly messageId: string; readonly reference: string }[];
  stop(): Promise<void>;
}

/** Starts one on a free port of this machine. */
export async function startLocalPms(): Promise<LocalPms> {
  const received: LocalPms['received'] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { MessageID, BookingData, TransactionData } = JSON.parse(text) as PmsMessage;
      const reference = BookingData?.Reference ?? TransactionData?.RelatedReference ?? '';
      received.push({ messageId: MessageID, reference });
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ MessageID, Status: 'Success' }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server)}/pms`, received, stop: () => stop(server) };
}

interface PmsMessage {
  readonly MessageID: string;
  readonly BookingData?: { readonly Reference: string };
  readonly TransactionData?: { readonly RelatedReference: string };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the PMS has no port');
  return address.port;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
}
