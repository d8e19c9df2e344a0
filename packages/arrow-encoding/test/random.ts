// Globals are slow to reach inside jest's contexts, and these run by the million.
const { floor, imul } = Math;

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws from one stream of random numbers. */
export class Draw {
  constructor(private readonly random: () => number) {}

  /** An integer below `n`. */
  below(n: number): number {
    return floor(this.random() * n);
  }

  /** True in one of `n` cases. */
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
