/** Access to globals is slow in Jest's modules. */
const { imul } = Math;

/** Random choices that depend only on the seed. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from 0 to `n` - 1. */
  below(n: number): number {
    // mulberry32, by Tommy Ettinger; in the public domain.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    x ^= x + imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % n;
  }

  /** Returns true in one of `n` cases. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(length: number): number[] {
    const bytes: number[] = [];
    for (let word = 0; bytes.length < length; word >>>= 8) {
      if (bytes.length % 3 === 0) word = this.below(2 ** 32);
      bytes.push(word & 255);
    }
    return bytes;
  }
}
