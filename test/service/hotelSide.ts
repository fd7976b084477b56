/** A hotel's side of a service: its PMS at `/pms` and an endpoint for events at `/events`, which take everything, slowly. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/service.ts';

/** A message or an event as it arrived. */
export interface Arrived {
  /** The message's or the event's own id: the same however often it is sent. */
  readonly id: string;
  readonly json: {
    readonly type?: string;
    readonly MessageType?: string;
    readonly TransactionData?: { readonly TransactionID: string };
    readonly data?: { readonly transaction?: { readonly id: number } };
  };
  readonly text: string;
}

export class HotelSide {
  readonly messages: Arrived[] = [];
  readonly events: Arrived[] = [];
  readonly #server: Server;
  readonly #answersAfterMs: number;
  #url = '';

  /** What arrives is on its way for so long. */
  constructor(answersAfterMs: number) {
    this.#answersAfterMs = answersAfterMs;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  get pmsUrl(): string {
    return `${this.#url}/pms`;
  }

  get endpointUrl(): string {
    return `${this.#url}/events`;
  }

  async start(): Promise<void> {
    const port = await freePort();
    await new Promise<void>((resolve) => {
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    this.#url = `http://127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const json = JSON.parse(text) as Arrived['json'] & { MessageID?: string; EchoData?: string };
    const isEvent = request.url === '/events';
    const id = isEvent ? String(request.headers['webhook-id']) : (json.MessageID ?? '');
    (isEvent ? this.events : this.messages).push({ id, json, text });
    await sleep(this.#answersAfterMs);
    if (isEvent) return void response.writeHead(204).end();
    const { EchoData, MessageID } = json;
    const answer = { MessageID, EchoData, TimeStamp: new Date().toISOString(), Status: 'Success' };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer));
  }
}
