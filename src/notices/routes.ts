import { z } from '@hono/zod-openapi';
import { failure } from '../core/failure.ts';
import { selectGateway, selectPayouts } from '../gateways/select.ts';
import { readNotice } from '../gateways/stripe/notices.ts';
import { readBody } from '../http/body.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { problemResponse, problemSchema } from '../http/problem.ts';
import { problemResponses } from '../http/responses.ts';
import { hear } from './actions.ts';

const PATH = '/gateway/v1/stripe';

/** The largest event: Stripe's are some kilobytes. */
const BODY_LIMIT_BYTES = 512 * 1024;

/** `POST /gateway/v1/stripe`: what Stripe tells of by signed webhooks (decisions: section 12). */
export function registerStripeNotices(api: Api): void {
  document(api);
  api.post(PATH, async (c) => {
    const { gateway: name, stripe } = c.get('config');
    if (name !== 'stripe' || stripe === null) {
      return refused(c, failure('not_found', 'This deployment does not use Stripe.'));
    }
    const body = await readBody(c, BODY_LIMIT_BYTES);
    if (body.kind === 'too-large') {
      return refused(c, failure('body_too_large', `At most ${BODY_LIMIT_BYTES} bytes.`));
    }
    const signature = c.req.header('Stripe-Signature');
    const notice =
      body.kind === 'text' && signature ? await readNotice(stripe, body.text, signature) : null;
    if (notice === null) {
      return refused(c, failure('invalid_request', "The signature is not Stripe's, or too old."));
    }
    const { crossings, database, requestId } = c.var;
    const gateway = selectGateway(c.get('config'), c.env);
    const payouts = selectPayouts(stripe);
    const work = { env: c.env, database, crossings, gateway, payouts, requestId };
    const heard = await hear(work, notice);
    // Anything but 200, and Stripe tells it again later.
    return heard.ok ? c.json({ success: true, known: heard.value }) : refused(c, heard.error);
  });
}

function refused(c: AppContext, refusal: ReturnType<typeof failure>): Response {
  return problemResponse(c, refusal, { requestId: c.get('requestId') });
}

function document(api: Api): void {
  const answer = z.object({
    success: z.literal(true),
    known: z.boolean().describe('Whether it was about anything of this service.'),
  });
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: PATH,
    summary: "What Stripe tells of: its webhooks, proven by Stripe's signature",
    tags: ['gateway'],
    security: [],
    request: {
      headers: z.object({ 'Stripe-Signature': z.string() }),
      body: { required: true, content: { 'application/json': { schema: z.looseObject({}) } } },
    },
    responses: {
      200: { description: 'Followed up', content: { 'application/json': { schema: answer } } },
      ...problemResponses(['invalid_request', 'not_found', 'gateway_error', 'busy'], problemSchema),
    },
  });
}
