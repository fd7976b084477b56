/** A PMS for development and tests. It checks and stores messages, and can fail on request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Behaviour } from './behaviour.ts';
import { control, sendJson } from './control.ts';
import { type Intake, takeMessage } from './intake.ts';
import type { Counts, Received } from './received.ts';
import { PmsState } from './state.ts';
import { Unreadable } from './unreadable.ts';

export interface PmsOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host?: string;
  readonly username?: string;
  readonly password?: string;
  /** Receives a line for every message. */
  readonly progress?: (line: string) => void;
}

/** A running PMS. */
export interface ReferencePms {
  /** The URL for messages. */
  readonly url: string;
  /** The URL of its page and its control requests. */
  readonly base: string;
  /** Every received message, oldest first. */
  received(): Received[];
  /** Further counts. */
  counts(): Counts;
  /** Deletes all messages and records. Keeps the behaviour. */
  forget(): void;
  /** Sets the behaviour. */
  behave(behaviour: Behaviour): void;
  /** Stops the PMS at once, even during a request. */
  stop(): Promise<void>;
}

/** Starts a PMS on this machine. */
export async function startPms(options: PmsOptions): Promise<ReferencePms> {
  const { username = 'pms-user', password = 'pms-pass', progress = () => undefined } = options;
  const { host = '127.0.0.1' } = options;
  const state = new PmsState();
  const server = createServer();
  const base = `http://127.0.0.1:${await listen(server, options.port, host)}`;
  const intake = { state, credentials: { username, password }, trap: `${base}/trap`, progress };
  server.on('request', (request, response) => void answer(intake, request, response));
  return {
    url: `${base}/pms`,
    base,
    received: () => structuredClone(state.messages),
    counts: () => state.counts(),
    forget: () => state.forget(),
    behave: (behaviour) => state.behaviour.set(behaviour),
    stop: () => stop(server),
  };
}

async function answer(
  intake: Intake,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { state } = intake;
  const [path = ''] = (request.url ?? '').split('?');
  try {
    if (path === '/pms') return await receive(intake, request, response);
    if (path === '/trap') {
      state.trapped += 1;
      return sendJson(response, 200, { trapped: state.trapped });
    }
    if (await control(state, `${request.method} ${path}`, request, response)) return;
    sendJson(response, 404, { Status: 'Error', ErrorMessage: 'there is nothing here' });
  } catch (error) {
    refuse(response, error);
  }
}

async function receive(
  intake: Intake,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      throw new Unreadable(405, 'messages are posted');
    }
    await takeMessage(intake, request, response);
  } catch (error) {
    if (error instanceof Unreadable) {
      intake.state.unreadable += 1;
      intake.progress(`unreadable → HTTP ${error.status} (${error.message})`);
    }
    throw error;
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  // The sender closed the connection: there is nobody to answer.
  if (response.headersSent || response.destroyed) return;
  const status = error instanceof Unreadable ? error.status : 500;
  // The unread rest of the body must not be read as the next request.
  response.setHeader('Connection', 'close');
  const message = error instanceof Error ? error.message : String(error);
  sendJson(response, status, { Status: 'Error', ErrorMessage: message });
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => {
    server.close(resolve);
  });
  server.closeAllConnections();
  await closed;
}
