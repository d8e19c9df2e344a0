import type { PassCount } from "./pass-count.js";

/** The reason why an operator with `ordered: false` cannot repeat a pass. */
export const UNORDERED = "with ordered: false, the order of elements is unpredictable";

/**
 * Log of one pass, for checkpoints. Records the pass numbers that operators took, and the operators that cannot repeat the pass.
 */
export class PassLog {
  readonly #numbers: Map<PassCount, { readonly first: number; last: number }> = new Map();
  readonly #used: Set<PassCount> = new Set();
  readonly #obstacles: Map<string, string> = new Map();

  /** The counters that operators of this pass have used. */
  get used(): ReadonlySet<PassCount> {
    return this.#used;
  }

  /** The first operator that cannot repeat its elements, and the reason. Undefined if all operators can. */
  get obstacle(): readonly [operator: string, reason: string] | undefined {
    return this.#obstacles.entries().next().value;
  }

  /** Takes and returns the next pass number of an operator. */
  take(count: PassCount, operator: string): number {
    this.advance(count, 1, operator);
    return count.next - 1;
  }

  /**
   * Takes `times` pass numbers. If another pass has taken a number since the last call, records that the operator cannot repeat
   * its elements.
   */
  advance(count: PassCount, times: number, operator: string): void {
    const known = this.#numbers.get(count);
    if (known !== undefined && known.last + 1 !== count.next) {
      this.reject(operator, "another iterator of this dataset began a pass during this one");
    }
    count.next += times;
    this.#used.add(count);
    if (known === undefined) this.#numbers.set(count, { first: count.next - times, last: count.next - 1 });
    else known.last = count.next - 1;
  }

  /** Records that an operator uses only the seed of `count`, not its pass number. */
  use(count: PassCount): void {
    this.#used.add(count);
  }

  /** Returns the first number that this pass took from `count`, or the next number if it took none. */
  firstOf(count: PassCount): number {
    return this.#numbers.get(count)?.first ?? count.next;
  }

  /** Records that this pass repeats the elements of pass number `first`, as a filled cache does. */
  standFor(count: PassCount, first: number): void {
    this.#used.add(count);
    this.#numbers.set(count, { first, last: first });
  }

  /** Records that an operator cannot repeat its elements. Keeps the first reason for each operator. */
  reject(operator: string, reason: string): void {
    if (!this.#obstacles.has(operator)) this.#obstacles.set(operator, reason);
  }
}
