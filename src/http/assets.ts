import type { AppContext } from './context.ts';

/** Serves the static file at the path. The copied response has mutable headers; the binding's has not. */
export async function serveAsset(c: AppContext): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(c.req.raw);
  return asset.status === 404 ? c.notFound() : new Response(asset.body, asset);
}
