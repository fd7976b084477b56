/** A text that is not what it should be: why, in a sentence for its sender. */
export class UnreadableText extends Error {}
