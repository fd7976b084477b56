/** Changes single settings in the text of a wrangler.toml, and leaves everything else as it is. */

/** A table of `[env.production]`, by its header. */
export type Table =
  | '[env.production]'
  | '[env.production.vars]'
  | '[[env.production.d1_databases]]'
  | '[[env.production.routes]]';

/**
 * Sets a key of the first table with this header, or adds it after the table's last key. Adds a missing table at the
 * end of the file. Setting what is set already changes nothing.
 */
export function withSetting(
  toml: string,
  table: Table,
  key: string,
  value: string | boolean,
): string {
  // JSON's strings are TOML's basic strings.
  const setting = `${key} = ${JSON.stringify(value)}`;
  const lines = toml.split('\n');
  const header = lines.indexOf(table);
  if (header === -1) return `${toml.trimEnd()}\n\n${table}\n${setting}\n`;
  const next = lines.findIndex((line, index) => index > header && line.startsWith('['));
  const end = next === -1 ? lines.length : next;
  const isKey = (line: string) => line.startsWith(`${key} `) || line.startsWith(`${key}=`);
  const found = lines.findIndex((line, index) => index > header && index < end && isKey(line));
  if (found !== -1) return lines.with(found, setting).join('\n');
  const last = lines.findLastIndex((line, index) => index < end && /^[^#\s]/.test(line));
  return lines.toSpliced(last + 1, 0, setting).join('\n');
}
