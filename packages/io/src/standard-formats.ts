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
 * The formats that are available by default. In Node, importing this module loads only their definitions; the first use of a
 * format loads its reader or writer. Worker threads know these formats by id, so the formats need no module URL, which a bundler
 * would change.
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
