import { anAbortSignal, anInteger, assertOptions, required } from "@tfxio/wire/checks";

/** Options that {@link firstRows}, {@link lastRows} and {@link sampleRows} share. */
export interface SomeRowsOptions {
  /** Number of rows, an integer of at least 0. */
  readonly numRows: number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws {ArgumentError} `invalid-argument`, naming the invalid option. */
export function assertRowsOptions(owner: string, options: SomeRowsOptions): void {
  assertOptions(owner, options, { numRows: required(anInteger(0)), signal: anAbortSignal });
}
