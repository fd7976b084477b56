/** The sum of one member of each, such as an amount in minor units of one currency. */
export function sumOf<Name extends string>(
  all: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return all.reduce((sum, one) => sum + one[name], 0);
}
