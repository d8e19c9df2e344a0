import type { SchemaDifference } from "@tfxio/schema";

/** The first damage of a file, as data. */
export interface Damage {
  /** Code and reason of the error: see docs/errors.md. */
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
  /** Id of its format. Absent if no format was detected. */
  readonly format?: string | undefined;
  /** Number of rows. In a damaged file, the number of rows before the damage. */
  readonly numRows: number;
  /** Number of records dropped by the format's skip policy. */
  readonly numSkipped: number;
  /** Uncompressed bytes of these rows. */
  readonly numBytes: number;
  /** Absent: the file is undamaged. */
  readonly damage?: Damage | undefined;
  /** Columns that are missing, added or of another type than in the first undamaged file. Absent: no differences. */
  readonly drift?: readonly SchemaDifference[] | undefined;
}

/** Result of {@link verify}. JSON-safe. */
export interface VerifyReport {
  /** One report for each file, in input order. */
  readonly files: readonly FileReport[];
  readonly numDamaged: number;
  /** Number of files with `drift`. */
  readonly numDrifted: number;
  /** Number of rows of all files. */
  readonly numRows: number;
  readonly numBytes: number;
}

/** Combines the reports of all files. */
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
