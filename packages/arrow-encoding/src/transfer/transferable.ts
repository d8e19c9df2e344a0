import { ArgumentError } from "@tfxio/wire";
import { aBoolean, assertArgument, assertOptions } from "@tfxio/wire/checks";
import {
  type Field,
  type RecordBatch,
  RecordBatchReader,
  type Schema as ArrowSchema,
  Table,
  tableToIPC,
} from "apache-arrow";
import { anArrowSchema, aRecordBatch, aTransferableBatch } from "../argument-rules.js";
import { BufferGathering, type BufferRange } from "./transferable-buffers.js";
import { type ArrayLayout, layoutColumns } from "./transferable-layout.js";
import { rebuildBatch } from "./transferable-rebuild.js";

/** Layout of a batch in its buffers. It can be serialized as JSON. */
export interface TransferableLayout {
  readonly numRows: number;
  readonly columns: readonly ArrayLayout[];
  readonly ranges: readonly BufferRange[];
  /** Index in `buffers` of the Arrow IPC stream that holds the schema. Absent if the receiver already has the schema. */
  readonly schema?: number;
  /** Custom metadata of the batch. */
  readonly metadata?: readonly (readonly [string, string])[];
}

/** A record batch in a form that can be sent to another thread. A structured clone of a `RecordBatch` loses its class. */
export interface TransferableBatch {
  readonly layout: TransferableLayout;
  /** The buffers that hold the ranges and the schema. Put all of them in the transfer list to avoid copies. */
  readonly buffers: readonly ArrayBuffer[];
  /** With `keepShared`, the shared memory that holds ranges. It must not be in a transfer list. Absent if no memory is shared. */
  readonly shared?: readonly SharedArrayBuffer[];
}

/** Options of {@link toTransferable} and {@link fromTransferable}. */
export interface TransferableOptions {
  /** The schema of the previous batch, which the receiver already has. A schema is sent only if it differs. */
  readonly schema?: ArrowSchema | undefined;
}

/** Options of {@link toTransferable}. */
export interface ToTransferableOptions extends TransferableOptions {
  /**
   * If true, memory in a `SharedArrayBuffer` is passed without a copy, for threads that coordinate their writes. Default false,
   * which copies it.
   */
  readonly keepShared?: boolean | undefined;
}

/**
 * Converts a batch to buffers and their layout, to send with `port.postMessage(transferable, transferable.buffers)`.
 *
 * Buffers are transferred without a copy if the batch fills all of them. Posting them with a transfer list then detaches them, so
 * the batch and everything that shares its buffers can no longer be used. Otherwise, as for a slice or for buffers with spare
 * capacity, only the batch's part is copied, so that no other owner loses memory. Dictionaries are always copied, because the
 * batches of a stream share them. An `ArrayBuffer` that holds only bitmaps is always copied too. Memory in a `SharedArrayBuffer`
 * is copied; with `keepShared`, only the dictionaries in it are.
 *
 * Without a transfer list, the receiver gets copies, and the batch stays intact.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions and view types.
 * @throws {ArgumentError} `invalid-argument` (`detached-buffer`) for a batch that was already transferred or whose lease was
 *   released.
 */
export function toTransferable(batch: RecordBatch, options: ToTransferableOptions = {}): TransferableBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertOptions("toTransferable", options, { schema: anArrowSchema, keepShared: aBoolean });
  const gathering = new BufferGathering(options);
  const columns = layoutColumns(batch, gathering);
  const { buffers, shared, ranges } = gathering.finish();
  const metadata = [...batch.metadata];
  const isKnown = options.schema !== undefined && isSameSchema(batch.schema, options.schema);
  if (!isKnown) buffers.push(encodeArrowSchema(batch.schema));
  return {
    layout: {
      numRows: batch.numRows,
      columns,
      ranges,
      ...(!isKnown && { schema: buffers.length - 1 }),
      ...(metadata.length > 0 && { metadata }),
    },
    buffers,
    ...(shared.length > 0 && { shared }),
  };
}

/**
 * Rebuilds a batch that {@link toTransferable} converted. The batch uses the received buffers, without a copy.
 * @throws {ArgumentError} `invalid-argument` (`schema-not-sent`) if the sender omitted the schema and `options` does not have
 *   it.
 */
export function fromTransferable(
  transferable: TransferableBatch,
  options: TransferableOptions = {},
): RecordBatch {
  assertArgument("transferable", transferable, aTransferableBatch);
  assertOptions("fromTransferable", options, { schema: anArrowSchema });
  const { layout, buffers, shared = [] } = transferable;
  const schema = layout.schema === undefined ? options.schema : decodeArrowSchema(buffers[layout.schema]);
  if (schema === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      "A batch that was sent without its schema requires the schema of the previous batch; pass it as { schema }.",
      {
        argument: "schema",
        reason: "schema-not-sent",
      },
    );
  }
  const memory = { buffers: [...shared, ...buffers], ranges: layout.ranges };
  return rebuildBatch(schema, layout.numRows, layout.columns, memory, layout.metadata);
}

/**
 * Returns whether names, nullability and metadata are equal and type objects are identical. arrow-js sometimes clones a schema
 * and its fields, but never a type.
 */
function isSameSchema(schema: ArrowSchema, other: ArrowSchema): boolean {
  return (
    isSameMetadata(schema.metadata, other.metadata) &&
    schema.fields.length === other.fields.length &&
    schema.fields.every((field, index) => {
      const { name, type, nullable, metadata } = other.fields[index] as Field;
      return (
        field.name === name &&
        field.type === type &&
        field.nullable === nullable &&
        isSameMetadata(field.metadata, metadata)
      );
    })
  );
}

function isSameMetadata(metadata: Map<string, string>, other: Map<string, string>): boolean {
  return metadata.size === other.size && [...metadata].every(([key, value]) => other.get(key) === value);
}

function encodeArrowSchema(schema: ArrowSchema): ArrayBuffer {
  return tableToIPC(new Table(schema), "stream").slice().buffer;
}

function decodeArrowSchema(buffer: ArrayBuffer | undefined): ArrowSchema {
  return RecordBatchReader.from(new Uint8Array(buffer as ArrayBuffer)).open().schema;
}
