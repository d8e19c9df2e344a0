import type { TensorRepresentation } from "@tfxio/schema";
import type { Json } from "@tfxio/wire";
import { membersOf, type Rule, rule } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Result of a {@link RecordDecoder} for one batch of records. */
export interface DecodedBatch {
  /** The tensors as columns. The number of rows may differ from the number of records. */
  readonly batch: RecordBatch;
  /** For each row, the position of its record in the list. Absent: row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Number of malformed records that were skipped. */
  readonly numSkipped: number;
}

/**
 * Instructions for a worker thread or another process to create the same decoder. The module exports an object with this `id`
 * and a function `createDecoder(config: Json): RecordDecoder | Promise<RecordDecoder>`, under any name.
 */
export interface DecoderDescription {
  /** URL of an ES module. */
  readonly module: string;
  readonly id: string;
  readonly config: Json;
}

/**
 * Decodes records to tensors, as columns. `createRecordDecoder` of `@tfxio/struct2tensor` creates one from a saved
 * query. A decoder keeps no state between calls.
 * @see TFX `TFGraphRecordDecoder`
 */
export interface RecordDecoder {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Representations that turn the batch into the tensors. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  /** Name of the tensor with the position of each row's record; absent when each record is one row. */
  readonly recordIndexTensorName?: string | undefined;
  /** Decodes one batch of records, which are borrowed for the call. */
  decode(records: readonly Uint8Array[]): DecodedBatch;
  /** Returns a decoder of only these tensors, which reads only the fields that they need. It keeps the record index. */
  project(tensorNames: readonly string[]): Promise<RecordDecoder>;
  /**
   * Describes this decoder for worker threads and other processes. Absent: it works only in this thread.
   * @throws {UnsupportedError} `unsupported` if it holds something that cannot be described, such as a function.
   */
  readonly describe?: (() => Promise<DecoderDescription>) | undefined;
}

/** A structural check, so that decoders from other packages and installs pass. */
export const aRecordDecoder: Rule = rule("a RecordDecoder, such as createRecordDecoder returns", (value) => {
  const { arrowSchema, tensorRepresentations, decode, project } = membersOf(value);
  const hasMethods = typeof decode === "function" && typeof project === "function";
  return hasMethods && typeof arrowSchema === "object" && tensorRepresentations instanceof Map;
});
