/** Whether two secret texts are equal. The time it takes does not reveal where they differ. */
export function equalInConstantTime(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let differences = 0;
  for (let at = 0; at < one.length; at += 1) {
    differences |= one.charCodeAt(at) ^ other.charCodeAt(at);
  }
  return differences === 0;
}
