import { nodeOn } from "../../checkpoint/plan-node.js";
import { ArgumentError, isTfxioError, UserFunctionError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { type Block, blockOfItems, disposeBlock, itemsOf, sliceBlock } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { planOfResult } from "../combining/as-plan.js";
import { callForElement, callUser, isPromise, orDispose, type UserCall } from "../elements/user-call.js";
import { windowRowsPlan } from "./window-rows.js";

/** Maximum number of rows to read at once. */
const MAX_ROWS = 1024;

/** Key of a group: an integer or text. Safe integers are converted to bigints, so 1 and 1n are the same key. */
export type GroupKey = number | bigint | string;

/** Settings of {@link groupByWindowPlan}. */
export interface GroupSettings {
  /** Name of the operator, for error messages and checkpoints. */
  readonly operator: string;
  /** Returns or resolves to the {@link GroupKey} of an element. */
  readonly keyOf: UserCall["f"];
  /** Returns the number of elements in a full group. Called for the first element of each group. */
  readonly sizeOf: (key: GroupKey) => number;
  /** Returns the elements that replace a group. Receives the group as a dataset. */
  readonly reduce: (key: GroupKey, rows: unknown) => unknown;
  /** Wraps a plan in the dataset that the caller's function receives. */
  readonly toDataset: (plan: Plan) => unknown;
}

/**
 * Gathers elements into groups by key, and replaces each full group with the elements that `reduce` returns. At the end of the
 * input, also replaces the groups that are not full.
 */
export function groupByWindowPlan(upstream: Plan, settings: GroupSettings): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, settings.operator),
    cardinality: () => (upstream.cardinality() === "infinite" ? "infinite" : "unknown"),
    moved: undefined,
    open: (pass) => new GroupStream(upstream, pass, settings),
  };
}

/** Elements with the same key that have not been replaced yet. */
interface Group {
  readonly key: GroupKey;
  readonly size: number;
  rows: Block[];
}

class GroupStream implements BlockStream {
  readonly #plan: Plan;
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #settings: GroupSettings;
  /** The groups that are not full, by key, in the order of their first elements. */
  readonly #groups: Map<GroupKey, Group> = new Map();
  /** The groups that remain at the end of the input. */
  #rest: Iterator<Group> | undefined;
  /** The elements that replace the latest group. */
  #current: BlockStream | undefined;
  /** The rows that have been read but not grouped: those of `block` from `row` on. */
  #waiting: { readonly block: Block; row: number } | undefined;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, settings: GroupSettings) {
    this.#plan = upstream;
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#settings = settings;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const rows = await this.#current?.read(maxRows);
      if (rows != null) return rows;
      await this.#closeCurrent();
      const group = await this.#nextGroup();
      if (group === null) return null;
      const failure = group instanceof Failure ? group : await this.#reduce(group);
      if (failure !== undefined) return blockOfItems([failure]);
    }
  }

  async close(): Promise<void> {
    await this.#closeCurrent();
    for (const { rows } of this.#groups.values()) rows.forEach(disposeBlock);
    this.#groups.clear();
    if (this.#waiting !== undefined) {
      const { block, row } = this.#waiting;
      disposeBlock(sliceBlock(block, row, block.numRows));
    }
    await this.#upstream.close();
  }

  /**
   * Returns the next full group. At the end of the input, returns the remaining groups in the order of {@link byKey}, and then
   * null. Returns a `Failure` for an element that failed, or for which `keyOf` failed.
   */
  async #nextGroup(): Promise<Group | Failure | null> {
    while (this.#rest === undefined) {
      this.#waiting ??= await this.#nextBlock();
      if (this.#waiting === undefined) {
        this.#rest = [...this.#groups.values()].sort(byKey)[Symbol.iterator]();
        break;
      }
      const { block } = this.#waiting;
      const row = sliceBlock(block, this.#waiting.row, this.#waiting.row + 1);
      if (++this.#waiting.row === block.numRows) this.#waiting = undefined;
      const full = await this.#add(row);
      if (full !== undefined) return full;
    }
    const { value, done } = this.#rest.next();
    if (done === true) return null;
    this.#groups.delete(value.key);
    return value;
  }

  async #nextBlock(): Promise<{ readonly block: Block; row: number } | undefined> {
    // Reads rows in blocks if that has no visible effect, because awaiting every row would take longer than grouping it.
    const block = await this.#upstream.read(this.#plan.moved === undefined ? 1 : MAX_ROWS);
    return block === null ? undefined : { block, row: 0 };
  }

  /**
   * Adds a row to its group. Returns the group if it is full, a `Failure` if the row failed or `keyOf` failed for it, and
   * otherwise undefined. An invalid key or group size, or an error of `sizeOf`, ends the pass.
   */
  async #add(row: Block): Promise<Group | Failure | undefined> {
    const { operator, keyOf, sizeOf } = this.#settings;
    const [element] = itemsOf(row);
    const call: UserCall = { operator, f: keyOf, tf: this.#plan.tf };
    const index = this.#elementIndex++;
    const called = callForElement(call, element, index, this.#pass);
    const key = isPromise(called) ? await orDispose(called, element) : called;
    if (key instanceof Failure) {
      if (key !== element) disposeElements([element]);
      return key;
    }
    let group: Group;
    try {
      const name = keyOrThrow(key, operator);
      group = this.#groups.get(name) ?? {
        key: name,
        size: sizeOrThrow(
          callUser({ operator, f: sizeOf, tf: undefined }, name, index, this.#pass),
          name,
          operator,
        ),
        rows: [],
      };
    } catch (error) {
      disposeElements([element]);
      throw error;
    }
    group.rows.push(row);
    if (group.rows.length < group.size) {
      this.#groups.set(group.key, group);
      return undefined;
    }
    this.#groups.delete(group.key);
    return group;
  }

  /**
   * Opens a stream of the elements that replace a group, and disposes the group's rows. Returns a `Failure` if the stream cannot
   * be opened.
   */
  async #reduce({ key, rows }: Group): Promise<Failure | undefined> {
    const { operator, reduce, toDataset } = this.#settings;
    try {
      const dataset = toDataset(windowRowsPlan(rows, this.#plan));
      const f = (group: never): unknown => reduce(key, group);
      const result = callUser({ operator, f, tf: undefined }, dataset, this.#elementIndex - 1, this.#pass);
      this.#current = planOfResult(isPromise(result) ? await result : result, operator).open(this.#pass);
      return undefined;
    } catch (error) {
      if (this.#pass.signal.aborted) throw error;
      return new Failure(
        error instanceof UserFunctionError && isTfxioError(error.cause) ? error.cause : error,
      );
    } finally {
      rows.forEach(disposeBlock);
    }
  }

  async #closeCurrent(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.close();
  }
}

/** Puts integer keys in ascending order, before all text keys. A stable sort keeps the order of text keys. */
function byKey({ key: left }: Group, { key: right }: Group): number {
  if (typeof left === "string" || typeof right === "string") {
    return Number(typeof left === "string") - Number(typeof right === "string");
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns a checked key, as a bigint if it is an integer. */
function keyOrThrow(key: unknown, operator: string): GroupKey {
  if (typeof key === "string" || typeof key === "bigint") return key;
  if (Number.isSafeInteger(key)) return BigInt(key as number);
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the key of an element is ${describeValue(key)}, but must be an integer or text.`,
  );
}

function sizeOrThrow(size: unknown, key: GroupKey, operator: string): number {
  if (Number.isSafeInteger(size) && (size as number) > 0) return size as number;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the window size of key ${key} is ${describeValue(size)}, but must be a positive integer.`,
  );
}
