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
  /** Version of a peer that is not installed from package.json, such as a Python library. */
  readonly version?: string | undefined;
  /** Reads the file once. */
  run(file: TableFile): Promise<TableRun>;
  /** Reads the file without timing it, and returns the result's fingerprints. */
  digest(file: TableFile): Promise<TableDigest>;
}

/** One way to read a file into columns. */
export interface TableSubject {
  readonly name: string;
  /** The file for timed runs. Slow subjects read a `sample`, which is a smaller file with the first rows of the same table. */
  readonly reads: "whole" | "sample";
  prepare(): Promise<PreparedTable | AbsentSubject>;
}
