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

/** How a batch lies in its buffers. JSON-safe. */
export interface TransferableLayout {
  readonly numRows: number;
  readonly columns: readonly ArrayLayout[];
  readonly ranges: readonly BufferRange[];
  /** Position of the buffer that holds the schema as an Arrow IPC stream; absent: the receiver has it. */
  readonly schema?: number;
  /** Custom metadata of the batch. */
  readonly metadata?: readonly (readonly [string, string])[];
}

/** A record batch in a form that crosses threads: a structured clone of a `RecordBatch` loses its class. */
export interface TransferableBatch {
  readonly layout: TransferableLayout;
  /** What {@link TransferableLayout.ranges} lie in; every one of them may stand in a transfer list. */
  readonly buffers: readonly ArrayBuffer[];
  /** Shared memory that ranges lie in, with `keepShared`: not for a transfer list. Absent: there is none. */
  readonly shared?: readonly SharedArrayBuffer[];
}

/** Options of {@link toTransferable} and {@link fromTransferable}. */
export interface TransferableOptions {
  /** The schema that the receiver has: that of the batch before. Sent again only when the batch's differs. */
  readonly schema?: ArrowSchema | undefined;
}

/** Options of {@link toTransferable}. */
export interface ToTransferableOptions extends TransferableOptions {
  /**
   * Hands over what lies in a `SharedArrayBuffer` where it is, for threads that agree on who writes there when. Default
   * false: it is copied.
   */
  readonly keepShared?: boolean | undefined;
}

/**
 * A batch as buffers and a description of them: `port.postMessage(transferable, transferable.buffers)`.
 *
 * The batch is the caller's to give up, and with it everything that shares its buffers: posting them with a transfer
 * list detaches them. They are handed over as they are if the batch fills every one of them. One that does not (a slice,
 * a view of a pool, buffers with reserve capacity) is copied, cut down to what it shows, so that nobody else loses
 * anything. So are bitmaps in buffers of their own, shared memory unless it is to be kept, and dictionaries, which the
 * batches of a stream share.
 *
 * Without a transfer list the receiver gets copies and the batch stays whole.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions and view types.
 * {@link ArgumentError} `invalid-argument` (`detached-buffer`) for a batch that was given away before.
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
 * The batch that {@link toTransferable} took apart, over the very buffers that arrived.
 * @throws {ArgumentError} `invalid-argument` (`schema-not-sent`) when the sender counted on a schema that is not given.
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
      "the batch came without its schema: hand in that of the batch before",
      {
        argument: "schema",
        reason: "schema-not-sent",
      },
    );
  }
  const memory = { buffers: [...shared, ...buffers], ranges: layout.ranges };
  return rebuildBatch(schema, layout.numRows, layout.columns, memory, layout.metadata);
}

/** Same names, metadata and type objects: arrow-js clones a schema and its fields in places, but no type. */
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
