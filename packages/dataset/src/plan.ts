import type { TensorFlowModule } from "@tfxio/tensor-adapter";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { Block } from "./blocks/block.js";
import type { Cardinality } from "./cardinality.js";
import type { PassCount, PassLength } from "./checkpoint/pass-count.js";
import type { PassLog } from "./checkpoint/pass-log.js";

import type { Pacer } from "./pacer.js";
import type { Permutation } from "./random-access/permutation.js";

/** The part of TensorFlow.js that datasets use. Pass the `tf` whose backend is set: this package imports none. */
export type TensorFlow = Pick<TensorFlowModule, "tensor" | "engine" | "stack" | "unstack" | "reshape">;

/** State that the operators of one pass share. */
export interface Pass {
  /** Aborted when the pass ends early. Everything that waits for something outside the engine then stops. */
  readonly signal: AbortSignal;
  readonly pacer: Pacer;
  readonly log: PassLog;
  /** True when the rows are to leave the engine as record batches, so that no source converts them. */
  readonly keepsRecordBatches: boolean;
}

/** The state of rows that operators have only moved since they left their source. */
export interface MovedRows {
  /** Schema of the record batches that the rows still lie in, where they do. */
  readonly arrowSchema: ArrowSchema | undefined;
}

/** One operator at work: blocks are pulled through it, never more rows than are asked for. */
export interface BlockStream {
  /**
   * The next 1 to `maxRows` rows, in order; null at the end. Has no effect before the first call. Not called again
   * before it has settled. Element errors are `Failure` rows; a rejection ends the pass. Sources, and whoever calls a
   * function per row, pause with the pass's pacer.
   */
  read(maxRows: number): Promise<Block | null>;
  /**
   * Skips the next `numRows` rows, failed ones included, and returns the number skipped: fewer at the end. Leaves the
   * stream as reading them would. Absent where nothing is saved by it. Called as `read` is.
   */
  skip?(numRows: number): Promise<number>;
  /** Frees what this stream and those above it hold. Not called while a `read` is under way. */
  close(): Promise<void>;
}

/** Rows of a source that can be read in any order. */
export interface RowAccess {
  /** At most 2^32. A function opens what has the rows, and is called at the first read of a pass. */
  readonly numRows: number | ((signal: AbortSignal) => Promise<number>);
  /** A stream of the rows at `order(first)`, `order(first + 1)` and so on up to the last row. Effects wait for its first read. */
  open(this: void, order: Permutation, first: number, pass: Pass): BlockStream;
}

/** An operator as checkpoints see it. */
export interface PlanNode {
  readonly name: string;
  /** Settings that determine the elements and their order, as JSON values. Functions are left out. */
  readonly settings?: readonly unknown[] | undefined;
  readonly inputs: readonly Plan[];
  /** Passes over the input in one pass; default 1. */
  readonly numRepeats?: number | undefined;
  /** False when a pass may read fewer passes of its input than that. Default true. */
  readonly isRegular?: boolean | undefined;
  readonly passCount?: PassCount | undefined;
  readonly passLength?: PassLength | undefined;
  /** Access to the rows in any order. Only sources set it, because each operator has its own node. */
  readonly rowAccess?: RowAccess | undefined;
}

/** An operator and all above it, described: what a dataset is made of. Immutable, any number of passes. */
export interface Plan {
  /** Description of the operator, for checkpoints. */
  readonly node: PlanNode;
  /** The cardinality as known now. A pass may learn more. */
  cardinality(this: void): Cardinality;
  /** True if each pass has a different order, as after a shuffle that reshuffles. */
  readonly reshuffles: boolean;
  /** Known once `withTensors` has been applied. */
  readonly tf: TensorFlow | undefined;
  /**
   * Set while reading calls no function of the caller per row. Operators may then read ahead unnoticed.
   */
  readonly moved: MovedRows | undefined;
  /** Creates the stream; effects wait for its first `read`. */
  open(pass: Pass): BlockStream;
}
