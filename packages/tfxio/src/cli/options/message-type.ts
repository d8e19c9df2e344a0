import path from "node:path";
import {
  type MessageType,
  messageType,
  parseProto,
  protobuf,
  protobufPayload,
} from "@tfxio/formats-protobuf";
import { tfRecordContainer } from "@tfxio/formats-tfrecord";
import { type Format, recordFormat } from "@tfxio/format";
import { wrongUse } from "../errors/wrong-use.js";
import { readWhole } from "./schema-file.js";
import type { SourceOptions } from "./source-options.js";

/** A format of protobuf messages, and its options, which specify the message type. */
export interface MessageFormat {
  readonly format: Format;
  readonly formatOptions: MessageType;
}

/** The formats that can hold protobuf messages, by id. True if the files are TFRecord files, false if they are size-delimited. */
const IS_TFRECORD: ReadonlyMap<string, boolean> = new Map([
  ["protobuf", false],
  ["tfrecord", true],
  ["tfrecord-protobuf", true],
]);

/**
 * Returns the format of the protobuf messages that `--proto` and `--message` describe. The files are TFRecord files if `--format`
 * is `tfrecord` or `tfrecord-protobuf`, or if it is absent and a source has "tfrecord" in its name. Otherwise they are
 * size-delimited files.
 * @throws {ArgumentError} `invalid-argument` unless both options are given, and for a format that does not hold messages.
 */
export async function messageFormat(
  { proto, message, format }: SourceOptions,
  sources: readonly string[],
): Promise<MessageFormat> {
  if (proto === undefined || message === undefined) {
    const missing = [
      ...(proto === undefined ? ["--proto FILE (a .proto file or FileDescriptorSet)"] : []),
      ...(message === undefined ? ["--message TYPE (the full name of their type)"] : []),
    ];
    throw wrongUse(`Reading protobuf messages requires ${missing.join(" and ")}.`);
  }
  const isTfRecord =
    format === undefined ? sources.some((name) => /tfrecord/i.test(name)) : IS_TFRECORD.get(format);
  if (isTfRecord === undefined)
    throw wrongUse(
      `--format ${format} cannot be combined with --proto; use protobuf, tfrecord or tfrecord-protobuf.`,
    );
  const bytes = await readWhole(proto);
  const formatOptions = /\.proto$/i.test(proto)
    ? await parseProto({ [path.basename(proto)]: new TextDecoder().decode(bytes) }, message)
    : await messageType(bytes, message);
  return { format: isTfRecord ? tfRecordOfMessages : protobuf, formatOptions };
}

/** TFRecord files whose payloads are protobuf messages. */
const tfRecordOfMessages: Format = recordFormat(tfRecordContainer, protobufPayload(), {
  id: "tfrecord-protobuf",
});
