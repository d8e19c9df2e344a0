/** Gives whole numbers from 0 to below its argument. */
export type Random = (limit: number) => number;

/** The minimal standard generator of Park and Miller. */
export function seeded(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
