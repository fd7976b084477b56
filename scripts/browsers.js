// biome-ignore-all lint/performance/noBarrelFile: it stands for a library's own entry.
/** Replaces `bowser` in the bundle (`alias` in wrangler.toml): its own entry is one file, with all that it knows. */
export { parse } from '../node_modules/bowser/src/bowser.js';
