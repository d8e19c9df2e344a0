import { instantiate, type WasmModule } from "@tfxio/wire/kernels";
import { NO_BYTE } from "../../dialect.js";
import {
  CellKind,
  CsvStatus,
  type CsvTable,
  type DeferredCell,
  ROW_BYTES,
  type TableColumn,
  type TableLimits,
  type TablePlan,
  type TablePush,
} from "../csv-kernel.js";

/** Exports of assembly/index.as. Returned numbers are signed: convert addresses and counts to unsigned. */
interface TableExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly numRows: { readonly value: number };
  setDialect(
    delimiter: number,
    quote: number,
    escape: number,
    comment: number,
    doubledQuote: boolean,
    multiline: boolean,
    skipBlankLines: boolean,
  ): void;
  startTable(
    numColumns: number,
    numCells: number,
    skipsBadRows: boolean,
    keepsBounds: boolean,
    maxRecordBytes: number,
    rowBytes: number,
  ): number;
  roomForMarkers(size: number, longest: number, includesQuoted: boolean): number;
  columnAt(index: number): number;
  roomForInput(size: number): number;
  addInput(size: number): void;
  push(isLast: boolean, maxRows: number, maxBytes: number, until: number): number;
  outcomeAddress(): number;
  clear(): void;
}

const NO_BITS = new Uint8Array(0);
const NUM_OUTCOME_WORDS = 11;
const NUM_COLUMN_WORDS = 6;
const NUM_ENTRY_WORDS = 6;

/**
 * Creates a table with its own WebAssembly instance. @throws {RangeError} when memory runs out, and any error of the
 * instantiation.
 */
export function createWasmTable(module: WasmModule, plan: TablePlan): CsvTable {
  const table = instantiate(module) as TableExports;
  const { memory } = table;
  /** Creates a view. Growing the memory detaches views, so they are created when needed. */
  const words = (address: number, count: number): Uint32Array =>
    new Uint32Array(memory.buffer, address >>> 0, count);
  startTable(table, plan, words);
  let input = 0;
  let numPending = 0;

  const deferredCells = (count: number, entries: number, texts: number): DeferredCell[] => {
    const all = words(entries, count * NUM_ENTRY_WORDS);
    return Array.from({ length: count }, (_, index) => {
      const [column = 0, row = 0, start = 0, length = 0, recordStart = 0, record = 0] = all.subarray(
        index * NUM_ENTRY_WORDS,
        (index + 1) * NUM_ENTRY_WORDS,
      );
      return {
        column,
        row,
        bytes: new Uint8Array(memory.buffer, texts + start, length),
        recordStart,
        record,
      };
    });
  };

  return {
    get numRows() {
      return table.numRows.value;
    },
    get numPending() {
      return numPending;
    },
    append(bytes) {
      if (bytes.length === 0) return true;
      const address = table.roomForInput(bytes.length) >>> 0;
      if (address === 0) return false;
      new Uint8Array(memory.buffer).set(bytes, address);
      table.addInput(bytes.length);
      numPending += bytes.length;
      return true;
    },
    push(isLast, { maxRows, maxBytes, until = Number.POSITIVE_INFINITY }: TableLimits): TablePush {
      const status = table.push(isLast, maxRows, maxBytes, until) as CsvStatus;
      const outcome = words(table.outcomeAddress(), NUM_OUTCOME_WORDS);
      const [consumed = 0, numRecords = 0, numSkipped = 0, isFull = 0, numCells = 0, numDeferred = 0] =
        outcome;
      const [entries = 0, texts = 0, numBounds = 0, bounds = 0, start = 0] = outcome.subarray(6);
      numPending -= consumed;
      input = start;
      const pairs = words(bounds, numBounds * 2);
      return {
        status,
        consumed,
        numRecords,
        numSkipped,
        isFull: isFull !== 0,
        failedAt: consumed,
        numCells,
        deferred: numDeferred === 0 ? [] : deferredCells(numDeferred, entries, texts),
        starts: Uint32Array.from({ length: numBounds }, (_, index) => pairs[2 * index] as number),
        ends: Uint32Array.from({ length: numBounds }, (_, index) => pairs[2 * index + 1] as number),
      };
    },
    input: (start, end) => new Uint8Array(memory.buffer, input + start, end - start),
    column: (index) =>
      columnView(words(table.columnAt(index), NUM_COLUMN_WORDS), memory.buffer, table.numRows.value),
    clear: () => table.clear(),
  };
}

function startTable(
  table: TableExports,
  plan: TablePlan,
  words: (address: number, count: number) => Uint32Array,
): void {
  const { dialect, nullMarkers, kinds, numCells, skipsBadRows, keepsBounds, maxRecordBytes, quotedNulls } =
    plan;
  const { escape, comment, doubledQuote, multiline, skipBlankLines } = dialect;
  const [delimiter = NO_BYTE] = dialect.delimiter;
  const [quote = NO_BYTE] = dialect.quote;
  table.setDialect(delimiter, quote, escape, comment, doubledQuote, multiline, skipBlankLines);
  const rowBytes = kinds.reduce<number>((sum, kind) => sum + ROW_BYTES[kind], 0);
  const longest = Math.max(-1, ...nullMarkers.map(({ length }) => length));
  const size = nullMarkers.reduce((sum, { length }) => sum + 4 + length, 0);
  const isStarted = table.startTable(
    kinds.length,
    numCells,
    skipsBadRows,
    keepsBounds,
    maxRecordBytes,
    rowBytes,
  );
  let address = table.roomForMarkers(size, longest, quotedNulls) >>> 0;
  if (isStarted === 0 || address === 0) throw new RangeError("No memory is left for a CSV table.");
  for (const marker of nullMarkers) {
    const bytes = new Uint8Array(table.memory.buffer);
    new DataView(bytes.buffer).setUint32(address, marker.length, true);
    bytes.set(marker, address + 4);
    address += 4 + marker.length;
  }
  kinds.forEach((kind, index) => {
    words(table.columnAt(index), 1)[0] = kind;
  });
}

/** Returns a view of a column. A table that never had a row has no column memory yet. */
function columnView(words: Uint32Array, buffer: ArrayBuffer, numRows: number): TableColumn {
  const [kind = 0, values = 0, nullBits = 0, data = 0, , dataEnd = 0] = words;
  const hasRows = numRows > 0;
  const nulls = hasRows ? new Uint8Array(buffer, nullBits, (numRows + 7) >> 3) : NO_BITS;
  if (kind === CellKind.int64) {
    return { nulls, int64: hasRows ? new BigInt64Array(buffer, values, numRows) : new BigInt64Array(0) };
  }
  if (kind === CellKind.float32) {
    return { nulls, float32: hasRows ? new Float32Array(buffer, values, numRows) : new Float32Array(0) };
  }
  if (kind !== CellKind.bytes) return { nulls };
  const offsets = hasRows ? new Int32Array(buffer, values, numRows + 1) : new Int32Array(1);
  return { nulls, offsets, data: new Uint8Array(buffer, data, dataEnd) };
}
