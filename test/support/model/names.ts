/**
 * The model's names of charges whose references the service makes: those in place of declined ones. Everything else is
 * named by its reference.
 */
const names = new Map<string, string>();
const references = new Map<string, string>();

/** Notes the model's name of a charge. */
export function named(reference: string, name: string): void {
  names.set(reference, name);
  references.set(name, reference);
}

/** The model's name of a reference, or of a key at the acquirer, which begins with one. */
export function nameOf(reference: string): string {
  return renamed(names, reference);
}

/** The service's reference, or its key, of what the model calls so. */
export function referenceOf(name: string): string {
  return renamed(references, name);
}

function renamed(all: ReadonlyMap<string, string>, text: string): string {
  const at = text.lastIndexOf('-');
  const known = all.get(at === -1 ? text : text.slice(0, at));
  return known === undefined ? text : `${known}${at === -1 ? '' : text.slice(at)}`;
}
