/** How many connections the platform gives an invocation at once. */
const AT_ONCE = 6;

/** Does something with each, a few at once in their order, and returns what each came to. The first failure ends it. */
export async function fewAtOnce<One, Done>(
  all: readonly One[],
  act: (one: One) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  const left = all.entries();
  const lane = async () => {
    for (const [at, one] of left) done[at] = await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return done;
}
