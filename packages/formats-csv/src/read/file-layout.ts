import { SchemaError } from "@tfxio/wire";
import { dialectOf } from "../dialect.js";
import { CellKind, type TablePlan } from "../kernels/csv-kernel.js";
import { type CsvColumn, unlistedColumn } from "./columns.js";
import type { CsvPlan } from "./csv-plan.js";
import type { CsvHeader } from "./header.js";

/** Positions of a plan's columns in one file, and the plan of the table that reads them. */
export interface FileLayout {
  /** Index in the file of each column of the plan. */
  readonly indices: readonly number[];
  /** The column to read or check at each index in the file; undefined for skipped columns. */
  readonly columns: readonly (CsvColumn | undefined)[];
  readonly table: TablePlan;
}

const KINDS = {
  int: CellKind.int64,
  float: CellKind.float32,
  bytes: CellKind.bytes,
  null: CellKind.nothing,
} as const;
const utf8 = new TextEncoder();

/**
 * Finds the columns of the plan by name, since files may order them differently.
 * @throws {SchemaError} `schema-mismatch`: `not-a-subset` when the file lacks a column of the plan; `header-names` when the file
 *   has a column that the first file lacks, and the request has neither a schema nor `columns`.
 */
export function layOutFile(plan: CsvPlan, { names }: CsvHeader, uri: string): FileLayout {
  const places = new Map(names.map((name, index) => [name, index]));
  const indices = plan.columns.map(({ name }) => places.get(name) ?? missingColumn(name, plan, uri));
  const columns = names.map((name): CsvColumn | undefined => {
    if (plan.listed?.has(name) === false) return unlistedColumn(name);
    if (plan.otherNames?.has(name) === false) throw strangeColumn(name, uri);
    return undefined;
  });
  for (const column of plan.checked) {
    const index = places.get(column.name);
    if (index !== undefined) columns[index] = column;
  }
  plan.columns.forEach((column, index) => {
    columns[indices[index] as number] = column;
  });
  return { indices, columns, table: tablePlan(plan, columns) };
}

function tablePlan(plan: CsvPlan, columns: readonly (CsvColumn | undefined)[]): TablePlan {
  const { options, maxRecordBytes, rawRecordColumn, rowPositionColumn } = plan;
  const needsPlaces = columns.some((column) => column?.isMultivalent === true);
  return {
    dialect: dialectOf(options),
    nullMarkers: options.nullMarkers.map((marker) => utf8.encode(marker)),
    quotedNulls: options.quotedNulls,
    kinds: columns.map((column) => {
      if (column === undefined) return CellKind.skip;
      return column.isMultivalent ? CellKind.bytes : KINDS[column.type];
    }),
    numCells: columns.length,
    skipsBadRows: options.onBadRow === "skip",
    keepsBounds: needsPlaces || rawRecordColumn !== undefined || rowPositionColumn !== undefined,
    maxRecordBytes,
  };
}

function missingColumn(name: string, { hasSchema }: CsvPlan, uri: string): never {
  const wanted = hasSchema ? "which the schema lists" : "which the first file has";
  throw new SchemaError("schema-mismatch", `${uri} has no column "${name}", ${wanted}.`, {
    reason: "not-a-subset",
    columnPath: name,
    uri,
  });
}

function strangeColumn(name: string, uri: string): SchemaError {
  return new SchemaError("schema-mismatch", `${uri} has a column "${name}", which the first file lacks.`, {
    reason: "header-names",
    columnPath: name,
    uri,
  });
}
