import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { FakeStripe } from '../support/stripe.ts';

/** A stand-in for Stripe at a socket of this machine. */
export interface StripeServer {
  readonly stripe: FakeStripe;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it on a free port. */
export async function startStripe(): Promise<StripeServer> {
  const stripe = new FakeStripe();
  const server = createServer((request, response) => {
    // A reset before anything was done is a socket that closes.
    answer(stripe, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    stripe,
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function answer(
  stripe: FakeStripe,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const body = await text(request);
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  const answered = await stripe.fetch(`http://stripe.localhost${url}`, {
    method,
    headers: request.headers as Record<string, string>,
    signal: closed.signal,
    ...(method !== 'GET' && { body }),
  });
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}
