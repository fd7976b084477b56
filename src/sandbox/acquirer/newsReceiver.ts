import { handleEvent } from '../../api/webhooks/handleEvent.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { WebhookEvent } from '../../gateways/webhookEvent.ts';
import { requireConfig } from '../../platform/config.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { newReference } from '../../platform/ids.ts';
import { Trace } from '../../platform/trace.ts';
import type { NewsReceiver } from './news.ts';

/**
 * This service, which handles the sandbox's news like an acquirer's webhooks. False if it could not handle the news now;
 * news of what is not ours is handled.
 */
export function newsReceiver(env: Env): NewsReceiver {
  return { receiveNews: async (news) => (await handleNews(env, news)).ok };
}

async function handleNews(env: Env, news: WebhookEvent) {
  const gateway = selectGateway(await requireConfig(env), env);
  const trace = new Trace();
  const database = new Database(env.DB, trace);
  const requester = { requestId: newReference(), cardElement: null, payouts: null };
  return handleEvent({ env, database, trace, gateway, ...requester }, news);
}
