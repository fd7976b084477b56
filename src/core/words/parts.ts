import type { IntlMessageFormat } from 'intl-messageformat';

type Tree = ReturnType<IntlMessageFormat['getAst']>;

/** The numbers that the parser has for a text and for an argument without a form. */
const TEXT = 0;
const ARGUMENT = 1;

/** A part of a message: a text, the name of an argument as a list of one, or else what a syntax tree has. */
export type Part = string | readonly [name: string] | Tree[number];

/** Whether something holds messages, and is none: one that was parsed is a list of its parts. */
export function holdsMessages(inner: unknown): inner is object {
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner);
}

/** The parts of a message that was parsed, in little space: for the bundle, which has no parser. */
export function partsOf(tree: Tree): Part[] {
  return tree.map((part) => {
    const { type, value } = part as { readonly type: number; readonly value: string };
    if (type === TEXT) return value;
    return type === ARGUMENT ? [value] : part;
  });
}

/** The syntax tree that some parts stand for. */
export function treeOf(parts: readonly Part[]): Tree {
  return parts.map((part) => {
    if (typeof part === 'string') return { type: TEXT, value: part };
    return 'type' in part ? part : { type: ARGUMENT, value: part[0] };
  });
}
