import type { AppContext } from './context.ts';

/** Answers with the asset at the request's address; it can be given headers, as what the binding answers cannot. */
export async function serveAsset(c: AppContext): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(c.req.raw);
  return asset.status === 404 ? c.notFound() : new Response(asset.body, asset);
}
