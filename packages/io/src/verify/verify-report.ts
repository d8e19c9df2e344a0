import type { SchemaDifference } from "@tfxio/schema";

/** The first damage of a file, as data. */
export interface Damage {
  /** Code and reason of the error: see docs/errors.md. */
  readonly code: string;
  readonly reason?: string | undefined;
  readonly message: string;
  /** Number of the record in the file, from 0, where the format knows it. */
  readonly recordIndex?: number | undefined;
  /** Offset in the uncompressed bytes, where the format knows it. */
  readonly byteOffset?: number | undefined;
}

/** What reading one file came to. JSON-safe. */
export interface FileReport {
  readonly uri: string;
  /** Id of its format; absent where none was found. */
  readonly format?: string | undefined;
  /** Rows, all of them, or those before the damage. */
  readonly numRows: number;
  /** Records that a skip policy of the format left out. */
  readonly numSkipped: number;
  /** Uncompressed bytes of these rows. */
  readonly numBytes: number;
  /** Absent: the file is sound. */
  readonly damage?: Damage | undefined;
  /** Columns that it lacks, has more, or has of another type, compared with the first sound file. Absent: none. */
  readonly drift?: readonly SchemaDifference[] | undefined;
}

/** What {@link verify} found. JSON-safe. */
export interface VerifyReport {
  /** In the order in which they were given. */
  readonly files: readonly FileReport[];
  readonly numDamaged: number;
  /** Files with `drift`. */
  readonly numDrifted: number;
  /** Of all files together. */
  readonly numRows: number;
  readonly numBytes: number;
}

/** The report of all files. */
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
