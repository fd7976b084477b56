import { z } from '@hono/zod-openapi';
import { failure } from '../../core/failure.ts';
import {
  selectCardElement,
  selectGateway,
  selectPayouts,
  stripeOf,
} from '../../gateways/select.ts';
import { readEvent } from '../../gateways/stripe/webhookEvents.ts';
import { readBody } from '../../http/body.ts';
import type { Api } from '../../http/operation.ts';
import { problemResponse } from '../../http/problem.ts';
import { jsonAnswer, jsonBody, problemResponses } from '../../http/responses.ts';
import { handleEvent } from './handleEvent.ts';

const PATH = '/gateway/v1/stripe';

/** Stripe's events have some kilobytes. */
const BODY_LIMIT_BYTES = 512 * 1024;

/** `POST /gateway/v1/stripe`: Stripe's signed webhooks (stripe: Webhooks). */
export function registerStripeWebhooks(api: Api): void {
  addToOpenApi(api);
  api.post(PATH, async (c) => {
    const stripe = stripeOf(c.get('config'));
    if (stripe === null) {
      return problemResponse(c, failure('not_found', 'This deployment does not use Stripe.'));
    }
    const body = await readBody(c, BODY_LIMIT_BYTES);
    if (!body.ok) return problemResponse(c, body.error);
    const { text } = body.value;
    const signature = c.req.header('Stripe-Signature');
    const event = text !== null && signature ? await readEvent(stripe, text, signature) : null;
    if (event === null) {
      return problemResponse(
        c,
        failure('invalid_request', "The signature is missing, is not Stripe's, or is too old."),
      );
    }
    const { trace, database, requestId } = c.var;
    const gateway = selectGateway(c.get('config'), c.env);
    const payouts = selectPayouts(c.get('config'));
    const cardElement = selectCardElement(c.get('config'));
    const work = { env: c.env, database, trace, gateway, payouts, cardElement, requestId };
    const handled = await handleEvent(work, event);
    // Stripe sends the event again after any status but 2xx.
    if (!handled.ok) return problemResponse(c, handled.error);
    const answer: z.infer<typeof webhookAnswer> = { success: true, known: handled.value };
    return c.json(answer);
  });
}

const webhookAnswer = z.object({
  success: z.literal(true),
  known: z.boolean().describe('whether the event concerned something of this service'),
});

function addToOpenApi(api: Api): void {
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: PATH,
    summary: "Receive a Stripe webhook, authenticated by Stripe's signature",
    tags: ['gateway'],
    security: [],
    request: {
      headers: z.object({ 'Stripe-Signature': z.string().describe('As Stripe signs its events.') }),
      body: jsonBody(z.looseObject({})),
    },
    responses: {
      200: jsonAnswer(webhookAnswer, 'Handled'),
      ...problemResponses(['invalid_request', 'not_found', 'gateway_error', 'busy']),
    },
  });
}
