import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { behaviourShape } from './behaviour.ts';
import { parseJson, readBody } from './body.ts';
import { catalogueShape } from './catalogue.ts';
import { send } from './deliver.ts';
import { page } from './page.ts';
import type { PmsState } from './state.ts';
import { Unreadable } from './unreadable.ts';

/** Serves the control requests of tests and people. Returns whether the request was one. */
export async function control(
  state: PmsState,
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (route) {
    case 'GET /':
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'",
      );
      send(response, 200, { contentType: 'text/html; charset=utf-8', text: page(state) });
      return true;
    case 'GET /received':
      sendJson(response, 200, { messages: state.messages, ...state.counts() });
      return true;
    case 'DELETE /received':
      state.forget();
      sendJson(response, 200, { messages: [], ...state.counts() });
      return true;
    case 'POST /behave':
      state.behaviour.set(await read(behaviourShape, request));
      sendJson(response, 200, state.behaviour.current);
      return true;
    case 'POST /catalogue':
      state.hotel.catalogue = await read(catalogueShape, request);
      sendJson(response, 200, state.hotel.catalogue);
      return true;
    default:
      return false;
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, { contentType: 'application/json', text: JSON.stringify(value) });
}

async function read<T>(shape: z.ZodType<T>, request: IncomingMessage): Promise<T> {
  const { text } = await readBody(request);
  const { data, error } = shape.safeParse(parseJson(text));
  if (data === undefined) throw new Unreadable(400, error ? z.prettifyError(error) : 'nothing');
  return data;
}
