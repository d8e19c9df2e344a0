import {
  aPositiveInteger,
  aString,
  assertOptions,
  oneOf,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { AvroCodecName } from "./container/codecs.js";

/** How Avro files are written. Files say themselves how they are read. */
export interface AvroOptions {
  /** How blocks are compressed. Default `"deflate"`, which every Avro library has. */
  readonly codec: AvroCodecName;
  /** Uncompressed bytes at which a block ends; default 64 KiB. Readers hold a block in memory, and cut splits at blocks. */
  readonly blockBytes: number;
}

/** How records that are Avro values are decoded. */
export interface AvroPayloadOptions {
  /** The schema that the records were written with, as JSON. Records do not carry it, so it must be given. */
  readonly avroSchema: string;
}

export const AVRO_DEFAULTS: AvroOptions = { codec: "deflate", blockBytes: 65_536 };
const AVRO_RULES: OptionRules<AvroOptions> = {
  codec: oneOf("null", "deflate", "snappy"),
  blockBytes: aPositiveInteger,
};

/** @throws {ArgumentError} `invalid-argument` naming the option; also for one that could not act in this use. */
export function assertAvroOptions(options: AvroOptions, use: "read" | "write"): void {
  assertOptions("avro", options, AVRO_RULES);
  if (use === "write") return;
  for (const name of Object.keys(AVRO_DEFAULTS) as (keyof AvroOptions)[]) {
    if (options[name] === AVRO_DEFAULTS[name]) continue;
    throw unusableArgument(name, "is for writing: it has no effect on reading");
  }
}

/** @throws {ArgumentError} `invalid-argument` */
export function assertAvroPayloadOptions(options: AvroPayloadOptions): void {
  assertOptions("avro payload", options, { avroSchema: aString });
}
