/** Returns a pseudorandom integer from 0 up to, but not including, `limit`. */
export type Random = (limit: number) => number;

/** Returns Park and Miller's minimal standard generator. `seed` must be at least 1. Equal seeds produce equal sequences. */
export function seeded(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
