// Access to globals is slow in jest's contexts, and these functions are called millions of times.
const { floor, imul } = Math;

/** Returns a generator (mulberry32) of numbers from 0 (inclusive) to 1 (exclusive), which depend only on the seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random choices from one stream of numbers. */
export class Draw {
  constructor(private readonly random: () => number) {}

  /** Returns an integer from 0 to `n` (exclusive). */
  below(n: number): number {
    return floor(this.random() * n);
  }

  /** Returns true with probability 1 / `n`. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(length: number): number[] {
    return Array.from({ length }, () => this.below(256));
  }
}
