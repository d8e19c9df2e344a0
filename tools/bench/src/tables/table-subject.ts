import type { AbsentSubject } from "../decode/subject.js";
import type { TableDigest } from "./table-digest.js";
import type { TableFile } from "./table-file.js";

/** One timed pass over a file. */
export interface TableRun {
  readonly seconds: number;
  readonly numRows: number;
}

/** A subject that is ready to read files. */
export interface PreparedTable {
  readonly version?: string | undefined;
  run(file: TableFile): Promise<TableRun>;
  /** Reads the file, untimed, and fingerprints the result. */
  digest(file: TableFile): Promise<TableDigest>;
}

/** One way to read a file into columns. */
export interface TableSubject {
  readonly name: string;
  /** The file for timed runs. Slow subjects read a `sample`, a smaller file of the same rows. */
  readonly reads: "whole" | "sample";
  prepare(): Promise<PreparedTable | AbsentSubject>;
}
