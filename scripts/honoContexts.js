// biome-ignore-all lint/performance/noBarrelFile: it stands for a library's own entry.
/**
 * What stands for `hono/jsx` in the bundle (`alias` in wrangler.toml): the two functions that pages use. `hono/jsx` itself
 * brings all that its components do in a browser.
 */
export { createContext, useContext } from '../node_modules/hono/dist/jsx/context.js';
