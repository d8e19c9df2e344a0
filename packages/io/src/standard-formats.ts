import type { Format } from "@tfxio/format";
import { avro } from "@tfxio/formats-avro";
import { parquet } from "@tfxio/formats-parquet";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";

/** The formats that are found without being handed in. Worker threads know them too, wherever a bundler put them. */
export const standardFormats: readonly Format[] = [...tfRecordFormats, avro, parquet];
