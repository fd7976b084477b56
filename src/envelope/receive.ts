import type { Failure, JsonObject } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { insufficientScope, type Refusal } from '../http/access.ts';
import type { AppContext } from '../http/context.ts';
import { bodyTooLarge, type JsonBody, readJson } from '../http/json.ts';
import { unforeseen } from '../http/unforeseen.ts';
import {
  type Presented,
  presented,
  type Sender,
  senderByBody,
  senderByToken,
} from './authenticate.ts';
import { type MessageHandler, misplacedMessage } from './handler.ts';
import { limitOf, type Mount, scopesOf } from './mounts.ts';
import { type Received, refuse, succeed } from './reply.ts';

/** Takes one message at a mount: who sends it, what it is, what becomes of it (decisions: section 8). */
export async function receive(c: AppContext, mount: Mount): Promise<Response> {
  // What is known so far: whatever goes wrong, the reply names the message if it could be read.
  const received: Received = { message: null, property: null };
  try {
    const taken = await take(c, mount, received);
    return taken.ok ? succeed(c, received, taken.value) : refuse(c, received, taken.error);
  } catch (error) {
    return refuse(c, received, { failure: unforeseen(c, error) });
  }
}

async function take(
  c: AppContext,
  mount: Mount,
  received: Received,
): Promise<Result<JsonObject, Refusal>> {
  const shown = await presented(c);
  if (!shown.ok) return err({ failure: shown.error });
  // Also the message of a sender who is refused is read: the refusal names it.
  const body = await readJson(c, limitOf(mount));
  if (body.ok) received.message = body.value.value;
  const message = body.ok ? withinLimitOfItsType(mount, body.value) : body;
  const sender = await senderOf(c, mount, shown.value, message);
  if (!sender.ok) return sender;
  received.property = sender.value.property;
  if (!message.ok) return err({ failure: message.error });
  return handle(c, mount, sender.value, message.value);
}

async function handle(
  c: AppContext,
  mount: Mount,
  { property, scopes }: Sender,
  message: object,
): Promise<Result<JsonObject, Refusal>> {
  const handler = handlerOf(mount, message);
  if (!handler) return err({ failure: misplacedMessage(message, [...mount.handlers.keys()]) });
  if (!scopes.includes(handler.scope)) return err(insufficientScope([handler.scope]));
  const handled = await handler.handle({ database: c.get('database'), property }, message);
  return handled.ok ? handled : err({ failure: handled.error });
}

/** Who sends a message. A token speaks before the body is looked at; without one, a body that is none comes first. */
async function senderOf(
  c: AppContext,
  mount: Mount,
  shown: Presented,
  message: Result<object, Failure>,
): Promise<Result<Sender, Refusal>> {
  if (shown.by === 'token') return senderByToken(c, shown.caller, scopesOf(mount));
  return message.ok ? senderByBody(c, message.value) : err({ failure: message.error });
}

/** Where large messages are taken, only those of the types that may be large are. */
function withinLimitOfItsType(mount: Mount, { value, bytes }: JsonBody): Result<object, Failure> {
  const limitBytes = handlerOf(mount, value)?.limitBytes ?? limitOf(mount);
  return bytes > limitBytes ? err(bodyTooLarge(limitBytes)) : ok(value);
}

function handlerOf(mount: Mount, message: object): MessageHandler | undefined {
  const { MessageType: type }: { MessageType?: unknown } = message;
  return typeof type === 'string' ? mount.handlers.get(type) : undefined;
}
