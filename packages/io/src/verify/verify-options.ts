import { aBoolean, aFunction, type OptionRules } from "@tfxio/wire/checks";
import type { TfxioOptions } from "../open-options.js";
import { OPEN_RULES } from "../open-rules.js";

/** How far `verify` has come. */
export interface VerifyProgress {
  /** The file that is being read. */
  readonly uri: string;
  /** Files that are done. */
  readonly numFiles: number;
  /** Of all files so far. */
  readonly numRows: number;
  readonly numBytes: number;
}

/** Options of `verify`; those of `openTfxio` mean what they mean there. */
export interface VerifyOptions
  extends Pick<
    TfxioOptions,
    | "format"
    | "formats"
    | "formatOptions"
    | "schema"
    | "unlisted"
    | "columns"
    | "stores"
    | "limits"
    | "signal"
  > {
  /** Compares the columns of the files, and their types, with those of the first sound one. Default false. */
  readonly drift?: boolean | undefined;
  /** Told after each batch. What it throws ends the call as `user-function`. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
}

/** What the options must be. */
export const VERIFY_RULES: OptionRules<VerifyOptions> = {
  format: OPEN_RULES.format,
  formats: OPEN_RULES.formats,
  formatOptions: OPEN_RULES.formatOptions,
  schema: OPEN_RULES.schema,
  unlisted: OPEN_RULES.unlisted,
  columns: OPEN_RULES.columns,
  stores: OPEN_RULES.stores,
  limits: OPEN_RULES.limits,
  signal: OPEN_RULES.signal,
  drift: aBoolean,
  onProgress: aFunction,
};
