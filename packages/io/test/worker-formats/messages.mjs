import { recordFormat } from "@tfxio/format";
import { protobufPayload } from "@tfxio/formats-protobuf";
import { tfRecordContainer } from "@tfxio/formats-tfrecord";

/** TFRecords of protobuf messages; their type is an option. */
export const messages = recordFormat(
  { ...tfRecordContainer, extensions: [], sniff: undefined },
  protobufPayload(),
  { id: "tfrecord-messages", module: import.meta.url, columnForm: "lists" },
);
