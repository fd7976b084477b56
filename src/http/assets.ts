import type { AppContext } from './context.ts';

/**
 * Serves the static file at the path, whose case does not matter: all files have names in lower case. The copied
 * response has mutable headers; the binding's has not.
 */
export async function serveAsset(c: AppContext): Promise<Response> {
  const url = new URL(c.req.url);
  url.pathname = url.pathname.toLowerCase();
  const asset = await c.env.ASSETS.fetch(new Request(url, c.req.raw));
  return asset.status === 404 ? c.notFound() : new Response(asset.body, asset);
}
