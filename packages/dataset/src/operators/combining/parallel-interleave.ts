import { UNORDERED } from "../../checkpoint/pass-log.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, disposeBlock, itemsOf, sliceBlock } from "../../blocks/block.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import type { UserCall } from "../elements/user-call.js";
import { type Inner, InnerOpener } from "./flat-map.js";
import type { InterleaveSettings } from "./interleave.js";

/** Settings of {@link parallelInterleavePlan}. */
export interface ParallelInterleaveSettings extends InterleaveSettings {
  /** True to return elements in the order of the turns. False to return them as they become ready. */
  readonly isOrdered: boolean;
}

/**
 * Interleaves datasets like `interleavePlan`, but reads one turn ahead in every dataset of the cycle. Without `isOrdered`, the
 * pass has no checkpoints, because its order cannot be repeated.
 */
export function parallelInterleavePlan(
  upstream: Plan,
  f: UserCall["f"],
  settings: ParallelInterleaveSettings,
): Plan {
  const call: UserCall = { operator: "interleave", f, tf: upstream.tf };
  return {
    ...upstream,
    node: nodeOn(upstream, "interleave", [settings.cycle, settings.block]),
    cardinality: () => "unknown",
    moved: undefined,
    open: (pass) => new ParallelInterleaveStream(upstream, pass, call, settings),
  };
}

/** An open dataset, and the rows read ahead from it. */
interface Slot {
  /** Undefined if the dataset could not be opened. The failure is then the only row of the slot. */
  readonly inner: Inner | undefined;
  /** The latest read from the dataset. Resolves to null at the end. */
  reading: Promise<Block | null>;
  /** True if `reading` has resolved or rejected. */
  isSettled: boolean;
  /** Rows of this turn that were read but not yet returned. */
  rest: Block | null;
  /** Number of rows that the slot may still return in this turn. */
  numLeft: number;
}

class ParallelInterleaveStream implements BlockStream {
  readonly #abort: AbortController = new AbortController();
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #opener: InnerOpener;
  readonly #settings: ParallelInterleaveSettings;
  /** In the order of their turns. Undefined for empty slots. */
  readonly #slots: (Slot | undefined)[];
  #turn = 0;
  #isInputEnded = false;

  constructor(upstream: Plan, pass: Pass, call: UserCall, settings: ParallelInterleaveSettings) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    // A separate signal, because pending reads must also stop if only this stream is closed.
    const signal = AbortSignal.any([pass.signal, this.#abort.signal]);
    this.#opener = new InnerOpener(call, { ...pass, signal });
    this.#settings = settings;
    if (!settings.isOrdered) pass.log.reject("interleave", UNORDERED);
    this.#slots = Array.from({ length: settings.cycle }, () => undefined);
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      await this.#fill();
      const slot = await this.#nextSlot();
      if (slot === undefined) {
        if (this.#isInputEnded) return null;
        continue;
      }
      slot.rest ??= await slot.reading;
      if (slot.rest === null) await this.#end(slot);
      else return this.#take(slot, maxRows);
    }
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#slots.splice(0).map((slot) => closeSlot(slot)));
    await this.#upstream.close();
  }

  /** Fills the empty slots, starting with the slot whose turn it is, until the input ends. */
  async #fill(): Promise<void> {
    const { cycle, block } = this.#settings;
    for (let step = 0; step < cycle && !this.#isInputEnded; step++) {
      const at = (this.#turn + step) % cycle;
      if (this.#slots[at] !== undefined) continue;
      const next = await this.#upstream.read(1);
      if (next === null) this.#isInputEnded = true;
      else this.#slots[at] = slotOf(await this.#opener.open(itemsOf(next)[0]), block);
    }
  }

  /**
   * Returns the next filled slot in the order of the turns, and passes the turn to it. If unordered, waits until any slot is
   * ready, and returns the next ready slot. Returns undefined if all slots are empty.
   */
  async #nextSlot(): Promise<Slot | undefined> {
    const { cycle, isOrdered } = this.#settings;
    const turns = Array.from({ length: cycle }, (_, step) => (this.#turn + step) % cycle);
    const filled = turns.flatMap((at) => {
      const slot = this.#slots[at];
      return slot === undefined ? [] : [{ at, slot }];
    });
    if (!isOrdered && filled.length > 0 && !filled.some(({ slot }) => slot.isSettled)) {
      await Promise.race(filled.map(({ slot }) => slot.reading.catch(() => null)));
    }
    const next = isOrdered ? filled[0] : filled.find(({ slot }) => slot.isSettled);
    this.#turn = next?.at ?? this.#turn;
    return this.#slots[this.#turn];
  }

  /**
   * Returns up to `maxRows` of the rows that a slot has read, and starts the slot's next read if no such rows are left.
   */
  #take(slot: Slot, maxRows: number): Block {
    const block = slot.rest as Block;
    const numRows = Math.min(maxRows, block.numRows);
    slot.rest = numRows === block.numRows ? null : sliceBlock(block, numRows, block.numRows);
    slot.numLeft -= numRows;
    if (slot.rest === null) {
      const isTurnOver = slot.numLeft === 0;
      if (isTurnOver) slot.numLeft = this.#settings.block;
      readAhead(slot);
      if (isTurnOver) this.#visitNext();
    }
    return sliceBlock(block, 0, numRows);
  }

  async #end(slot: Slot): Promise<void> {
    this.#slots[this.#turn] = undefined;
    this.#visitNext();
    await slot.inner?.close();
  }

  #visitNext(): void {
    this.#turn = (this.#turn + 1) % this.#settings.cycle;
  }
}

/** Creates a slot and starts its first read. A failure becomes a dataset whose only element is that failure. */
function slotOf(opened: Inner | Failure, block: number): Slot {
  const slot: Slot = {
    inner: opened instanceof Failure ? undefined : opened,
    reading: Promise.resolve(opened instanceof Failure ? blockOfItems([opened]) : null),
    isSettled: true,
    rest: null,
    numLeft: block,
  };
  if (slot.inner !== undefined) readAhead(slot);
  return slot;
}

/** Starts to read the rows that the slot may still return in its turn. */
function readAhead(slot: Slot): void {
  slot.isSettled = false;
  slot.reading = slot.inner?.stream.read(slot.numLeft) ?? Promise.resolve(null);
  const settle = (): void => {
    slot.isSettled = true;
  };
  // An error is ignored here, because `read` throws it when the slot's turn comes.
  slot.reading.then(settle, settle);
}

/** Waits for the pending read, disposes the rows that were not returned, and closes the dataset. */
async function closeSlot(slot: Slot | undefined): Promise<void> {
  if (slot === undefined) return;
  const block = slot.rest ?? (await slot.reading.catch(() => null));
  if (block !== null) disposeBlock(block);
  if (slot.rest !== null) await slot.reading.catch(() => undefined);
  await slot.inner?.close();
}
