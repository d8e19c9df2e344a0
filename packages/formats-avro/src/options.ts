import {
  aPositiveInteger,
  aString,
  assertOptions,
  oneOf,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { AvroCodecName } from "./container/codecs.js";

/** Options for writing Avro files. Reading needs no options, since files describe themselves. */
export interface AvroOptions {
  /** Compression of blocks. Default `"deflate"`, which every Avro library reads. */
  readonly codec: AvroCodecName;
  /**
   * Approximate uncompressed size of a block in bytes. Default 64 KiB. A reader holds a whole block in memory. A split consists
   * of whole blocks.
   */
  readonly blockBytes: number;
}

/** Options of {@link avroPayload}. */
export interface AvroPayloadOptions {
  /** The Avro schema of the records, as JSON text. Required, since records do not contain it. */
  readonly avroSchema: string;
}

export const AVRO_DEFAULTS: AvroOptions = { codec: "deflate", blockBytes: 65_536 };
const AVRO_RULES: OptionRules<AvroOptions> = {
  codec: oneOf("null", "deflate", "snappy"),
  blockBytes: aPositiveInteger,
};

/**
 * Checks the options. An option that does not affect `use` must have its default value.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function assertAvroOptions(options: AvroOptions, use: "read" | "write"): void {
  assertOptions("avro", options, AVRO_RULES);
  if (use === "write") return;
  for (const name of Object.keys(AVRO_DEFAULTS) as (keyof AvroOptions)[]) {
    if (options[name] === AVRO_DEFAULTS[name]) continue;
    throw unusableArgument(name, "is for writing: it has no effect on reading");
  }
}

/** Checks that `avroSchema` is a string. @throws {ArgumentError} `invalid-argument` */
export function assertAvroPayloadOptions(options: AvroPayloadOptions): void {
  assertOptions("avro payload", options, { avroSchema: aString });
}
