import type { SchemaDifference } from "@tfxio/schema";

/** The first damage found in a file. JSON-safe. */
export interface Damage {
  /** Code of the error. The codes and reasons are listed in docs/errors.md. */
  readonly code: string;
  readonly reason?: string | undefined;
  readonly message: string;
  /** Index of the record in the file, from 0, if the format knows it. */
  readonly recordIndex?: number | undefined;
  /** Offset in the uncompressed bytes, if the format knows it. */
  readonly byteOffset?: number | undefined;
}

/** Result of reading one file. JSON-safe. */
export interface FileReport {
  readonly uri: string;
  /** Id of the file's format. Absent if no format was detected. */
  readonly format?: string | undefined;
  /** Number of rows. In a damaged file, the number of rows before the damage. */
  readonly numRows: number;
  /** Number of records dropped by the format's skip policy. */
  readonly numSkipped: number;
  /** Number of uncompressed bytes of the rows and records that `numRows` and `numSkipped` count. */
  readonly numBytes: number;
  /** Absent if the file is undamaged. */
  readonly damage?: Damage | undefined;
  /**
   * Columns that are missing, added, or of a different type compared with the first undamaged file, as the option `drift`
   * explains. Absent if that option is not set, the file is damaged, or there are no differences.
   */
  readonly drift?: readonly SchemaDifference[] | undefined;
}

/** Result of {@link verify}. JSON-safe. */
export interface VerifyReport {
  /** One report for each file, in input order. */
  readonly files: readonly FileReport[];
  /** Number of files with `damage`. */
  readonly numDamaged: number;
  /** Number of files with `drift`. */
  readonly numDrifted: number;
  /** Sum of {@link FileReport.numRows} over all files. */
  readonly numRows: number;
  readonly numBytes: number;
}

/** Combines the reports of files, and adds up their counts. */
export function reportOf(files: readonly FileReport[]): VerifyReport {
  const sum = (of: (file: FileReport) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  return {
    files,
    numDamaged: sum(({ damage }) => (damage === undefined ? 0 : 1)),
    numDrifted: sum(({ drift }) => (drift === undefined ? 0 : 1)),
    numRows: sum(({ numRows }) => numRows),
    numBytes: sum(({ numBytes }) => numBytes),
  };
}
