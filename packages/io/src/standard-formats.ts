import type { Format } from "@tfxio/format";
import { arrow } from "@tfxio/formats-arrow";
import { avro } from "@tfxio/formats-avro";
import { csv, tsv } from "@tfxio/formats-csv";
import { jsonl } from "@tfxio/formats-jsonl";
import { protobuf } from "@tfxio/formats-protobuf";
import { parquet } from "@tfxio/formats-parquet";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";
import { tfrecordProtobuf } from "./tfrecord-protobuf.js";

/**
 * The formats that are found without being handed in, as descriptors: what reads and writes files is loaded with the first one.
 * Worker threads know them too, wherever a bundler put them.
 */
export const standardFormats: readonly Format[] = [
  ...tfRecordFormats,
  arrow,
  parquet,
  avro,
  jsonl,
  csv,
  tsv,
  protobuf,
  tfrecordProtobuf,
];
