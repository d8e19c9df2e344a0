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
 * The formats that a web worker reads: all that a description can name without a module. With static imports only, since bundlers
 * turn dynamic imports into extra chunks, which single-file workers (the default in Vite) cannot load.
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
