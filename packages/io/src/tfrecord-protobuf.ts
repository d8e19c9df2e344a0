import { type BatchWriter, recordFormat, type WritableFormat, type WriterContext } from "@tfxio/format";
import { createMessageEncoder, type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";
import { tfRecordContainer, type TfRecordOptions } from "@tfxio/formats-tfrecord";
import { type ByteTarget, compressedTarget, frameTfRecords } from "@tfxio/wire";

/**
 * TFRecord files that hold protobuf messages of one type. Pass the type as `formatOptions`: the result of
 * `messageType(descriptors, "package.Name")` from `@tfxio/formats-protobuf`. These files look like Example files, so they are
 * never auto-detected. Open them with the option `format: "tfrecord-protobuf"`, or with `format: "protobuf"`, which recognizes
 * TFRecord files as well as size-delimited files.
 */
export const tfrecordProtobuf: WritableFormat<TfRecordOptions & ProtobufOptions> = recordFormat(
  { ...tfRecordContainer, extensions: [], sniff: () => false },
  protobufPayload(),
  { id: "tfrecord-protobuf", module: import.meta.url, columnForm: "lists", createWriter: writeMessages },
);

/**
 * Writes each row as one message, framed as a TFRecord. With `compression: "auto"`, a target whose name ends in `.gz` is
 * compressed with gzip.
 */
async function writeMessages(
  target: ByteTarget,
  { options }: WriterContext<TfRecordOptions & ProtobufOptions>,
): Promise<BatchWriter> {
  const encoder = await createMessageEncoder(options);
  const { compression } = options;
  const named = target.uri.endsWith(".gz") ? "gzip" : "none";
  const stored = compressedTarget(target, compression === "auto" ? named : compression);
  return {
    write: (batch) => stored.write(frameTfRecords(encoder.encode(batch))),
    finish: () => stored.finish(),
  };
}
