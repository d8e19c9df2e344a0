import { recordFormat } from "@tfxio/format";
import { protobufPayload } from "@tfxio/formats-protobuf";
import { tfRecordContainer } from "@tfxio/formats-tfrecord";

/** A format of TFRecords that hold protobuf messages. The message type is a format option. */
export const messages = recordFormat(
  { ...tfRecordContainer, extensions: [], sniff: undefined },
  protobufPayload(),
  { id: "tfrecord-messages", module: import.meta.url, columnForm: "lists" },
);
