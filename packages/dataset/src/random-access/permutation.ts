import type { Random } from "@tfxio/wire";

/** Maximum length of an order that is drawn as a list. Longer orders are computed, to save memory. */
const MAX_LISTED = 65_536;
/** Number of rounds of the Feistel network. */
const NUM_ROUNDS = 8;

/** Maps each index below a bound to a distinct position below that bound. */
export type Permutation = (index: number) => number;

/**
 * Draws a random order of `length` rows. The order takes at most 256 KiB of memory. For up to 65,536 rows, it is a shuffled list.
 * For more rows, a Feistel network over the next power of four computes each position. The network is applied again until the
 * result is below `length`.
 * @param length At most 2^32.
 * @see Knuth, TAOCP 3.4.2, algorithm P; Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002
 */
export function createPermutation(length: number, random: Random): Permutation {
  return length <= MAX_LISTED ? listed(length, random) : enciphered(length, random);
}

function listed(length: number, random: Random): Permutation {
  const order = Uint32Array.from({ length }, (_, index) => index);
  for (let left = length; left > 1; left--) {
    const chosen = random.below(left);
    const last = order[left - 1] as number;
    order[left - 1] = order[chosen] as number;
    order[chosen] = last;
  }
  return (index) => order[index] as number;
}

function enciphered(length: number, random: Random): Permutation {
  const halfBits = Math.ceil(Math.log2(length) / 2);
  const mask = 2 ** halfBits - 1;
  const keys = Uint32Array.from({ length: NUM_ROUNDS }, () => random.next());
  return (index) => {
    let place = index;
    do {
      let left = Math.floor(place / (mask + 1));
      let right = place & mask;
      for (let round = 0; round < NUM_ROUNDS; round++) {
        const next = left ^ (mixed(right ^ (keys[round] as number)) & mask);
        left = right;
        right = next;
      }
      place = left * (mask + 1) + right;
    } while (place >= length);
    return place;
  };
}

/** Mixes the bits of a word, so that each bit of the word affects all bits of the result. @see murmur3 `fmix32` */
function mixed(word: number): number {
  let x = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
