import { aBoolean, aFunction, type OptionRules } from "@tfxio/wire/checks";
import type { TfxioOptions } from "../open-options.js";
import { OPEN_RULES } from "../open-rules.js";

/** Progress of `verify`. */
export interface VerifyProgress {
  /** URI of the file being read. */
  readonly uri: string;
  /** Number of files that have been read completely. */
  readonly numFiles: number;
  /** Number of rows read so far, over all files. */
  readonly numRows: number;
  /** Number of uncompressed bytes read so far, over all files. */
  readonly numBytes: number;
}

/** Options of `verify`. Options shared with `openTfxio` have the same meaning. */
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
  /**
   * Compares the columns and column types of each file with those of the first undamaged file. Files that have neither rows nor
   * declared types are not compared. A column is not reported if it has no values and the file declares no type for it. If the
   * first undamaged file has no type for a column, later files are compared with the first file that has one. Default false.
   */
  readonly drift?: boolean | undefined;
  /** Called after each batch. If it throws, `verify` rejects with `user-function`. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
}

/** Rules for the options of `verify`. */
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
