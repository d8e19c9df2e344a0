import type { ByteSource } from "@tfxio/wire";
import { bytesOf, dialectOf } from "../dialect.js";
import { CellKind, type CsvKernel, CsvStatus, type CsvTable, type TablePlan } from "../kernels/csv-kernel.js";
import { typeOfCell } from "../numbers/python-numbers.js";
import type { CsvOptions } from "../options.js";
import type { CsvColumn } from "./columns.js";
import type { CsvHeader } from "./header.js";
import { readHead } from "./source-head.js";
import { createCellSplitter } from "./split-cell.js";
import { feedTable } from "./table-feed.js";

/** Number of bytes to sample from all files together. Enough for ten thousand rows of most tables. */
const SAMPLE_BYTES: number = 4 * 2 ** 20;
const ROWS_AT_ONCE = 8192;
const TYPES = ["null", "int", "float", "bytes"] as const;
const BYTES_TYPE = 3;

export interface TypeInference {
  readonly sources: readonly ByteSource[];
  readonly headerOf: (source: ByteSource) => Promise<CsvHeader>;
  readonly names: readonly string[];
  readonly options: CsvOptions;
  readonly kernel: CsvKernel;
  readonly maxRecordBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Infers the type of each column in `names`: the first of int, float and bytes that fits all examined cells or, in a multivalent
 * column, all items. An integer outside int64 fits only bytes. Null cells and empty items are ignored. A column without
 * any other cells has type "null".
 * @throws {SchemaError} or {@link RecordError} for a header that `readHeader` rejects.
 * @throws {RecordError} in the same cases as a read, if `infer` is `"full"`.
 * @see tfx_bsl `csv_decoder.ColumnTypeInferrer`
 */
export async function inferTypes(inference: TypeInference): Promise<ReadonlyMap<string, CsvColumn["type"]>> {
  const { names, options } = inference;
  const types = new Map<string, number>(names.map((name) => [name, 0]));
  if (names.length > 0) {
    if (options.infer === "full") await inferFromAll(inference, types);
    else await inferFromSample(inference, types);
  }
  return new Map([...types].map(([name, type]) => [name, TYPES[type] as CsvColumn["type"]]));
}

async function inferFromAll(inference: TypeInference, types: Map<string, number>): Promise<void> {
  const { sources, headerOf, options, kernel, signal } = inference;
  for (const source of sources) {
    const header = await headerOf(source);
    const table = samplePlan(header, inference);
    const part = { start: header.dataStart, firstRecord: 0 };
    const limits = { maxRows: ROWS_AT_ONCE, maxBytes: SAMPLE_BYTES };
    const look = (_: object, cells: CsvTable): undefined => {
      lookAt(cells, header, types, options);
    };
    for await (const _ of feedTable({ source, part, options, kernel, table, signal }, () => limits, look));
  }
}

/** Infers from the first 4 MiB of all files together. Examines a damaged file up to the damage, which the read reports later. */
async function inferFromSample(inference: TypeInference, types: Map<string, number>): Promise<void> {
  const { sources, headerOf, options, kernel, maxRecordBytes, signal } = inference;
  let numLeft = SAMPLE_BYTES;
  for (const source of sources) {
    const header = await headerOf(source);
    for (let numBytes = numLeft; ; numBytes *= 2) {
      const head = await readHead(source, header.dataStart + numBytes, options, signal);
      const sample = head.bytes.subarray(header.dataStart, header.dataStart + numBytes);
      const isWhole = head.isWhole && head.bytes.length === header.dataStart + sample.length;
      const table = kernel.createTable(samplePlan(header, inference));
      table.append(sample);
      let numRows = 0;
      for (let isFull = true; isFull; ) {
        const pushed = table.push(isWhole, { maxRows: ROWS_AT_ONCE, maxBytes: SAMPLE_BYTES });
        numRows += pushed.numRecords;
        lookAt(table, header, types, options);
        isFull = pushed.isFull && pushed.status === CsvStatus.ok;
      }
      numLeft -= sample.length;
      // The first record may be longer than the sample.
      const isEnd = head.isWhole || head.damage !== undefined;
      if (numRows > 0 || isEnd || numBytes > maxRecordBytes) break;
    }
    if (numLeft <= 0) return;
  }
}

function samplePlan(
  { names }: CsvHeader,
  { options, maxRecordBytes, names: wanted }: TypeInference,
): TablePlan {
  const utf8 = new TextEncoder();
  return {
    dialect: dialectOf(options),
    nullMarkers: options.nullMarkers.map((marker) => utf8.encode(marker)),
    quotedNulls: options.quotedNulls,
    kinds: names.map((name) => (wanted.includes(name) ? CellKind.bytes : CellKind.skip)),
    numCells: names.length,
    skipsBadRows: options.onBadRow === "skip",
    keepsBounds: false,
    maxRecordBytes,
  };
}

/** Merges the types of all cells into `types`, and clears the table. */
function lookAt(
  table: CsvTable,
  { names }: CsvHeader,
  types: Map<string, number>,
  options: CsvOptions,
): void {
  const { multivalentColumns, secondaryDelimiter } = options;
  const itemsOf = createCellSplitter(dialectOf(options), bytesOf(secondaryDelimiter ?? ""));
  names.forEach((name, index) => {
    let type = types.get(name);
    if (type === undefined || type === BYTES_TYPE) return;
    const { nulls, offsets, data } = table.column(index);
    const isMultivalent = multivalentColumns.includes(name);
    for (let row = 0; row < table.numRows && type < BYTES_TYPE; row++) {
      if (((nulls[row >> 3] as number) & (1 << (row & 7))) !== 0) continue;
      const cell = (data as Uint8Array).subarray(offsets?.[row], offsets?.[row + 1]);
      const items = isMultivalent ? (itemsOf(cell)?.filter(({ length }) => length > 0) ?? [cell]) : [cell];
      for (const item of items) type = Math.max(type, typeOfCell(item));
    }
    types.set(name, type);
  });
  table.clear();
}
