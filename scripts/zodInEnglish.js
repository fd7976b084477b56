// biome-ignore-all lint/performance/noBarrelFile: it stands for a library's own entry.
// biome-ignore-all lint/performance/noReExportAll: it stands for a library's own entry.
/**
 * What stands for `zod` in the bundle (`alias` in wrangler.toml). `zod` itself brings its messages in fifty languages, a
 * compiler and converters of JSON schemas, which nothing here uses. Its parts have no public paths of their own.
 */
export * from '../node_modules/zod/v4/classic/checks.js';
export * from '../node_modules/zod/v4/classic/errors.js';
export * from '../node_modules/zod/v4/classic/parse.js';
export * from '../node_modules/zod/v4/classic/schemas.js';
export { NEVER } from '../node_modules/zod/v4/core/core.js';
export * as regexes from '../node_modules/zod/v4/core/regexes.js';
