/**
 * Generates seeded pseudo-random numbers, so that a set has the same bytes on every machine. The generator is Chris
 * Doty-Humphrey's sfc32.
 */
export class Random {
  #a = 0x9e3779b9;
  #b = 0x243f6a88;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#c = seed | 0;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** Returns an integer from 0 to 2^32 - 1. */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns a number from 0, inclusive, to 1, exclusive, with 32 random bits. */
  unit(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** Returns a random element of `choices`, which must not be empty. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
