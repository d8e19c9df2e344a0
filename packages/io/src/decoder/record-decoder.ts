import type { TensorRepresentation } from "@tfxio/schema";
import type { Json } from "@tfxio/wire";
import { membersOf, type Rule, rule } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Result of a {@link RecordDecoder} for one batch of records. */
export interface DecodedBatch {
  /** The tensors as columns. The number of rows may differ from the number of records. */
  readonly batch: RecordBatch;
  /** For each row, the index of its record in the list passed to `decode`. If absent, row `i` comes from record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Number of malformed records that were skipped. */
  readonly numSkipped: number;
}

/**
 * Description from which a worker thread or another process can create the same decoder. The `module` exports, under any name, an
 * object with the `id` of the description and a method `createDecoder(config: Json): RecordDecoder | Promise<RecordDecoder>`.
 */
export interface DecoderDescription {
  /** URL of an ES module. */
  readonly module: string;
  /** Id of the export that creates the decoder. */
  readonly id: string;
  /** Argument of `createDecoder`. */
  readonly config: Json;
}

/**
 * Decodes records to tensors, as columns. `createRecordDecoder` of `@tfxio/struct2tensor` creates a decoder from a DataView. A
 * decoder keeps no state between calls.
 * @see tfx_bsl `TFGraphRecordDecoder`
 */
export interface RecordDecoder {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Representation of each tensor in the columns of a batch, by name. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  /** Name of the tensor with the index of each row's record. Absent if every record that is not skipped becomes one row. */
  readonly recordIndexTensorName?: string | undefined;
  /** Decodes one batch of records. The records are borrowed for the duration of the call. */
  decode(records: readonly Uint8Array[]): DecodedBatch;
  /**
   * Returns a decoder of only these tensors, and of the tensor with the record index if this decoder has one. If this decoder
   * comes from a query, the returned one reads only the fields that these tensors need.
   */
  project(tensorNames: readonly string[]): Promise<RecordDecoder>;
  /**
   * Describes this decoder for worker threads and other processes. Absent if the decoder works only in this thread.
   * @throws {UnsupportedError} `unsupported` if the decoder holds a value that cannot be described, such as a function.
   */
  readonly describe?: (() => Promise<DecoderDescription>) | undefined;
}

/**
 * Rule for a decoder. Checks its members, not its class, so that decoders from other packages, or from another copy of this one,
 * pass.
 */
export const aRecordDecoder: Rule = rule(
  "a RecordDecoder, such as the result of createRecordDecoder",
  (value) => {
    const { arrowSchema, tensorRepresentations, decode, project } = membersOf(value);
    const hasMethods = typeof decode === "function" && typeof project === "function";
    return hasMethods && typeof arrowSchema === "object" && tensorRepresentations instanceof Map;
  },
);
