/**
 * Generates uniform random integers with xoshiro128** 1.1 by Blackman and Vigna. {@link Random.of} derives the initial state
 * from `(seed, stream)` with splitmix32. The algorithm is part of the public API: a seed gives the same numbers in every release.
 * @see https://prng.di.unimi.it/xoshiro128starstar.c
 */
export class Random {
  readonly #state: Uint32Array;

  /** @param state Four 32-bit words, not all zero. They are copied. */
  constructor(state: readonly [number, number, number, number]) {
    this.#state = Uint32Array.from(state);
  }

  /**
   * Creates a generator for `(seed, stream)`. Different pairs give unrelated sequences, except that two pairs give the same
   * sequence with a probability of 1 in 2^32.
   * @param seed Safe integer of at least 0.
   * @param stream Safe integer of at least 0, for example the number of the pass.
   */
  static of(seed: number, stream: number): Random {
    let hash = 0;
    for (const word of [seed, seed / 2 ** 32, stream, stream / 2 ** 32])
      hash = mix(hash + 0x9e3779b9 + (word >>> 0));
    const next = (): number => mix((hash = (hash + 0x9e3779b9) | 0));
    return new Random([next(), next(), next(), next() | 1]);
  }

  /** Returns the next 32 bits as an integer from 0 to 2^32 - 1. */
  next(): number {
    const s = this.#state as unknown as [number, number, number, number];
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** Returns a uniform integer from 0 to `bound` (exclusive), without modulo bias. `bound` is an integer from 1 to 2^32. */
  below(bound: number): number {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const value = this.next();
      if (value < limit) return value % bound;
    }
  }
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Applies the output function of splitmix32, a bijection on 32 bits that spreads every input bit. */
function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
