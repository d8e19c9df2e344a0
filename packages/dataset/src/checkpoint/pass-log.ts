import type { PassCount } from "./pass-count.js";

/** Why an operator that hands out what comes first cannot be read a second time. */
export const UNORDERED = "ordered: false gives elements in no certain order";

/** Log of one pass for checkpoints: the pass numbers that it took, and the operators that cannot repeat their order. */
export class PassLog {
  readonly #numbers: Map<PassCount, { readonly first: number; last: number }> = new Map();
  readonly #used: Set<PassCount> = new Set();
  readonly #obstacles: Map<string, string> = new Map();

  /** Counts that operators of this pass have read. */
  get used(): ReadonlySet<PassCount> {
    return this.#used;
  }

  /** The first operator that cannot give its elements again, and why; undefined when all can. */
  get obstacle(): readonly [operator: string, reason: string] | undefined {
    return this.#obstacles.entries().next().value;
  }

  /** Takes the next pass number of an operator. */
  take(count: PassCount, operator: string): number {
    this.advance(count, 1, operator);
    return count.next - 1;
  }

  /** Takes `times` pass numbers at once. */
  advance(count: PassCount, times: number, operator: string): void {
    const known = this.#numbers.get(count);
    if (known !== undefined && known.last + 1 !== count.next) {
      this.refuse(operator, "another iterator of this dataset began a pass in between");
    }
    count.next += times;
    this.#used.add(count);
    if (known === undefined) this.#numbers.set(count, { first: count.next - times, last: count.next - 1 });
    else known.last = count.next - 1;
  }

  /** Notes that an operator uses the seed of `count` alone. */
  use(count: PassCount): void {
    this.#used.add(count);
  }

  /** The number that this pass began with, or would begin with. */
  firstOf(count: PassCount): number {
    return this.#numbers.get(count)?.first ?? count.next;
  }

  /** Records that this pass has the elements of pass number `first`, as a filled cache does. */
  standFor(count: PassCount, first: number): void {
    this.#used.add(count);
    this.#numbers.set(count, { first, last: first });
  }

  /** Notes that an operator cannot give the same elements again. The first reason of an operator counts. */
  refuse(operator: string, reason: string): void {
    if (!this.#obstacles.has(operator)) this.#obstacles.set(operator, reason);
  }
}
