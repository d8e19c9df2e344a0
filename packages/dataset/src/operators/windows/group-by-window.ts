import { nodeOn } from "../../checkpoint/plan-node.js";
import { ArgumentError, isTfxioError, UserFunctionError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { type Block, blockOfItems, disposeBlock, itemsOf, sliceBlock } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { planOfResult } from "../combining/as-plan.js";
import { callForElement, callUser, isPromise, type UserCall } from "../elements/user-call.js";
import { windowRowsPlan } from "./window-rows.js";

/** Maximum rows read ahead at once. */
const MAX_ROWS = 1024;

/** Key of a group: an integer or text. */
export type GroupKey = number | bigint | string;

/** Settings of a grouping. */
export interface GroupSettings {
  readonly operator: string;
  /** Returns the {@link GroupKey} of an element. */
  readonly keyOf: UserCall["f"];
  /** Number of elements in a full group. */
  readonly sizeOf: (key: GroupKey) => number;
  /** Returns the elements that replace a group. Receives the group as a dataset. */
  readonly reduce: (key: GroupKey, rows: unknown) => unknown;
  /** Wraps a plan into the dataset that the caller's function receives. */
  readonly toDataset: (plan: Plan) => unknown;
}

/** Gathers elements into groups by key, and replaces each full group with the result of `reduce`. */
export function groupByWindowPlan(upstream: Plan, settings: GroupSettings): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, settings.operator),
    cardinality: () => (upstream.cardinality() === "infinite" ? "infinite" : "unknown"),
    moved: undefined,
    open: (pass) => new GroupStream(upstream, pass, settings),
  };
}

/** The elements of one key that do not yet fill a group. */
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
  /** By key, in order of first occurrence. */
  readonly #groups: Map<GroupKey, Group> = new Map();
  #rest: Iterator<Group> | undefined;
  #current: BlockStream | undefined;
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

  /** The next full group. At the end of the input, the remaining groups by ascending key. */
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
    // Reads rows in blocks if that has no visible effect: awaiting each row would cost more than grouping it.
    const block = await this.#upstream.read(this.#plan.moved === undefined ? 1 : MAX_ROWS);
    return block === null ? undefined : { block, row: 0 };
  }

  /** Adds a row to its group. Returns the group once it is full. An invalid key or size ends the pass. */
  async #add(row: Block): Promise<Group | Failure | undefined> {
    const { operator, keyOf, sizeOf } = this.#settings;
    const [element] = itemsOf(row);
    const call: UserCall = { operator, f: keyOf, tf: this.#plan.tf };
    const index = this.#elementIndex++;
    const called = callForElement(call, element, index, this.#pass);
    const key = isPromise(called) ? await called : called;
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

  async #reduce({ key, rows }: Group): Promise<Failure | undefined> {
    const { operator, reduce, toDataset } = this.#settings;
    try {
      const dataset = toDataset(windowRowsPlan(rows, this.#plan));
      const f = (group: never): unknown => reduce(key, group);
      const result = callUser({ operator, f, tf: undefined }, dataset, this.#elementIndex, this.#pass);
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

/** Orders numbers ascending, then text keys by first occurrence. */
function byKey({ key: left }: Group, { key: right }: Group): number {
  if (typeof left === "string" || typeof right === "string") {
    return Number(typeof left === "string") - Number(typeof right === "string");
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

function keyOrThrow(key: unknown, operator: string): GroupKey {
  if (typeof key === "string" || typeof key === "bigint") return key;
  if (Number.isSafeInteger(key)) return BigInt(key as number);
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the key of an element is ${describeValue(key)}, expected an integer or text`,
  );
}

function sizeOrThrow(size: unknown, key: GroupKey, operator: string): number {
  if (Number.isSafeInteger(size) && (size as number) > 0) return size as number;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the window size of key ${key} is ${describeValue(size)}, expected a positive integer`,
  );
}
