import { arrow } from "@tfxio/formats-arrow/worker";
import { avro } from "@tfxio/formats-avro";
import { csv, tsv } from "@tfxio/formats-csv";
import { jsonl } from "@tfxio/formats-jsonl";
import { parquet } from "@tfxio/formats-parquet";
import { protobuf } from "@tfxio/formats-protobuf";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";
import type { Format } from "@tfxio/format";
import { recordToTensor } from "../decoder/decoder-format.js";
import { tfrecordProtobuf } from "../tfrecord-protobuf.js";

/**
 * The formats that a web worker can read without importing a module. Their ids are those of `describableFormats`. All formats
 * are imported statically. Bundlers turn dynamic imports into additional chunks. Single-file workers, the default in Vite, cannot
 * load such chunks.
 */
export const workerFormats: readonly Format[] = [
  ...tfRecordFormats,
  arrow,
  parquet,
  avro,
  protobuf,
  tfrecordProtobuf,
  jsonl,
  csv,
  tsv,
  recordToTensor,
];
