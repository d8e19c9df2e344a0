import { aBoolean, assertOptions, oneOf, type OptionRules, unusableArgument } from "@tfxio/wire/checks";

/** Options of the format. All except `joinBatches` are for writing, because Arrow data describes itself. */
export interface ArrowOptions {
  /**
   * Container to write. A `"file"` allows random access to batches. A `"stream"` can be read while it is sent. `"auto"` (default)
   * writes a stream if the target's name ends in `.arrows`, else a file.
   */
  readonly container: "auto" | "file" | "stream";
  /** Codec that compresses each buffer separately. Default `"none"`, so that readers can map the file into memory. */
  readonly compression: "none" | "lz4" | "zstd";
  /**
   * When reading, joins short record batches into batches of `batchSize` rows. This copies their rows. Default true. With
   * `false`, no batch holds rows of several stored batches.
   */
  readonly joinBatches: boolean;
}

export const ARROW_DEFAULTS: ArrowOptions = { container: "auto", compression: "none", joinBatches: true };

const RULES: OptionRules<ArrowOptions> = {
  container: oneOf("auto", "file", "stream"),
  compression: oneOf("none", "lz4", "zstd"),
  joinBatches: aBoolean,
};

/**
 * Checks the options. An option that does not affect `use` must have its default value.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function assertArrowOptions(options: ArrowOptions, use: "read" | "write"): void {
  assertOptions("arrow", options, RULES);
  if (use === "write") {
    if (!options.joinBatches)
      throw unusableArgument("joinBatches", "is for reading: it has no effect on writing");
    return;
  }
  for (const name of ["container", "compression"] as const) {
    if (options[name] === ARROW_DEFAULTS[name]) continue;
    throw unusableArgument(name, "is for writing: it has no effect on reading");
  }
}
