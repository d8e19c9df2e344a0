/** Returns a pseudorandom integer from 0 up to, but not including, `limit`. */
export type Random = (limit: number) => number;

/** Park and Miller's minimal standard generator. Equal seeds produce equal sequences. */
export function seeded(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
