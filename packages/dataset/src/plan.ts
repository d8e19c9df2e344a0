import type { TensorFlowModule } from "@tfxio/tensor-adapter";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { Block } from "./blocks/block.js";
import type { Cardinality } from "./cardinality.js";
import type { PassCount, PassLength } from "./checkpoint/pass-count.js";
import type { PassLog } from "./checkpoint/pass-log.js";

import type { Pacer } from "./pacer.js";
import type { Permutation } from "./random-access/permutation.js";

/** The part of TensorFlow.js that datasets use. Pass the module whose backend is set. */
export type TensorFlow = Pick<TensorFlowModule, "tensor" | "engine" | "stack" | "unstack" | "reshape">;

/** State shared by the operators of one pass. */
export interface Pass {
  /** Aborted when the pass closes, even if the pass has reached its end. The pass then stops waiting for external work. */
  readonly signal: AbortSignal;
  /** Lets the event loop run while the pass computes. */
  readonly pacer: Pacer;
  /** Records what a checkpoint of the pass needs. */
  readonly log: PassLog;
  /**
   * With true or `"if-possible"`, sources must not convert record batches. If a cache holds converted rows, true makes it throw,
   * and `"if-possible"` makes it return them.
   */
  readonly keepsRecordBatches: boolean | "if-possible";
}

/** Describes rows that operators have moved but not changed. */
export interface MovedRows {
  /** Schema of the record batches that still hold the rows; undefined if the rows are in another form. */
  readonly arrowSchema: ArrowSchema | undefined;
}

/** One open operator. Callers pull blocks through it, and it never returns more rows than requested. */
export interface BlockStream {
  /**
   * Resolves to the next rows, in order: at least one and at most `maxRows`. Resolves to null at the end. A stream does nothing
   * before the first call. Calls must not overlap. A failed element is a `Failure` row, and a rejection ends the pass. Sources,
   * and operators that call a function per row, pause with the pacer of the pass.
   */
  read(maxRows: number): Promise<Block | null>;
  /**
   * Skips the next `numRows` rows, including failed ones. Resolves to the number skipped, which is smaller than `numRows` if the
   * stream ends first. Leaves the stream in the same state as reading the rows would. Absent if skipping would save nothing. Must
   * not overlap other calls.
   */
  skip?(numRows: number): Promise<number>;
  /** Frees the resources of this stream and its inputs. Must not be called during a `read`. */
  close(): Promise<void>;
}

/** Random access to the rows of a source. */
export interface RowAccess {
  /** Number of rows, at most 2^32, or a function that opens the source and counts them at the first read of a pass. */
  readonly numRows: number | ((signal: AbortSignal) => Promise<number>);
  /** Creates a stream of the rows at `order(i)`, for i from `first` to `numRows - 1`. It does nothing before its first read. */
  open(this: void, order: Permutation, first: number, pass: Pass): BlockStream;
}

/** Describes an operator, for checkpoints. */
export interface PlanNode {
  readonly name: string;
  /** Settings that determine the elements and their order, as JSON values. Functions are omitted. */
  readonly settings?: readonly unknown[] | undefined;
  readonly inputs: readonly Plan[];
  /** Number of passes over the input per pass of this operator. Default 1. */
  readonly numRepeats?: number | undefined;
  /** False when a pass may make fewer passes over its input than `numRepeats`. Default true. */
  readonly isRegular?: boolean | undefined;
  /** The counter of an operator whose order differs from pass to pass. */
  readonly passCount?: PassCount | undefined;
  /** The length of the passes over the input of a `repeat`. */
  readonly passLength?: PassLength | undefined;
  /** Random access to the rows. Only sources set it, because each operator creates a new node. */
  readonly rowAccess?: RowAccess | undefined;
}

/** An operator and all of its inputs: the recipe for a dataset. Immutable, and usable for any number of passes. */
export interface Plan {
  /** Description of the operator, for checkpoints. */
  readonly node: PlanNode;
  /** Returns the cardinality as currently known. A pass may refine it. */
  cardinality(this: void): Cardinality;
  /** True if each pass has a different order or different elements, as after a shuffle that reshuffles. */
  readonly reshuffles: boolean;
  /** The TensorFlow.js module. Undefined before `withTensors`. */
  readonly tf: TensorFlow | undefined;
  /**
   * Set only if later operators may read ahead without visible effects. That is so if no function of the caller runs once per
   * row, or if this operator reads ahead anyway, as a cache in a folder does.
   */
  readonly moved: MovedRows | undefined;
  /** Creates the stream, which does nothing before its first `read`. */
  open(pass: Pass): BlockStream;
}
