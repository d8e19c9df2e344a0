import { ArgumentError } from "@tfxio/wire";

/** How TFRecord files are framed. */
export interface TfRecordOptions {
  /** `"auto"` (default) goes by the first bytes of each file; the others insist. */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
  /**
   * Check the CRC-32C of every payload; default true. The checksum of the length is always checked. `false` reads
   * damaged payloads without noticing, where they still parse.
   */
  readonly verifyPayloadCrc: boolean;
}

/** How tf.Examples are decoded. */
export interface ExampleOptions {
  /**
   * What a record that is no well-formed tf.Example means: `"error"` (default) ends the read, `"skip"` leaves it out
   * and counts it in {@link ReadProgress.numSkipped}. Damage to the framing is always an error.
   */
  readonly onMalformed: "error" | "skip";
}

/** @throws {ArgumentError} `invalid-argument` naming the option. */
export function assertTfRecordOptions({ compression, verifyPayloadCrc }: TfRecordOptions): void {
  assertOneOf("compression", compression, ["auto", "none", "gzip", "zlib"]);
  assertOneOf("verifyPayloadCrc", verifyPayloadCrc, [true, false]);
}

/** @throws {ArgumentError} `invalid-argument` naming the option. */
export function assertExampleOptions({ onMalformed }: ExampleOptions): void {
  assertOneOf("onMalformed", onMalformed, ["error", "skip"]);
}

function assertOneOf(argument: string, value: unknown, allowed: readonly unknown[]): void {
  if (allowed.includes(value)) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument} is one of ${allowed.map(String).join(", ")}, found ${String(value)}`,
    { argument },
  );
}
