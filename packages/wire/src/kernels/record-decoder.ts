import { Appended, appendBytesList, appendFloats, appendVarints } from "./append-values.js";
import { ColumnTable, isKey } from "./column-table.js";
import { EntryReader } from "./entry-reader.js";
import { ExampleColumn } from "./example-column.js";
import { DEPTH, TAG_1, TAG_2 } from "./feature-scan.js";
import { isAscii, isPlainFeature } from "./plain-feature.js";
import { FeatureKind, KernelStatus } from "./kernels.js";
import { MessageScan } from "./message-scan.js";

/** Why a well-formed record does not fit; a later entry of the same name in the record takes it back. */
export interface Misfit {
  readonly status: typeof KernelStatus.wrongKind | typeof KernelStatus.unlistedFeature;
  readonly offset: number;
  readonly featureName: string;
  readonly expectedKind?: FeatureKind;
  readonly actualKind?: FeatureKind;
}

/** What a name that no column has means. */
export type UnlistedPolicy = "drop" | "error" | "discover";

/**
 * Puts tf.Examples into columns, one row each. Entries in the form that serializers write go a short way; everything
 * else that protobuf allows goes through {@link EntryReader}, which also finds out what is malformed.
 */
export class RecordDecoder {
  readonly table: ColumnTable = new ColumnTable();
  readonly scan: MessageScan = new MessageScan();
  /** Set when {@link decode} has returned `wrongKind` or `unlistedFeature`. */
  misfits: Misfit[] = [];
  /** How often a column came into a batch: then it takes memory for the rows before as well. */
  numSightings = 0;
  private view: DataView = new DataView(new ArrayBuffer(0));
  private readonly entryReader = new EntryReader();
  private readonly names = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Position of the column that the next entry probably belongs to: serializers tend to keep one order. */
  private predicted = 0;
  /** Whether predictions come true: comparing two names in vain costs more than the hash that then finds the third. */
  private isOrdered = true;

  constructor(
    private readonly unlisted: UnlistedPolicy,
    /** Sends every entry the long way, for tests that compare the two. */
    private readonly isCareful: boolean,
  ) {}

  load(bytes: Uint8Array, view: DataView): void {
    this.scan.bytes = bytes;
    this.view = view;
  }

  /** Decodes the record from `start` to `end` into `row`. On any status but `ok` the row is unfinished. */
  decode(start: number, end: number, row: number): KernelStatus {
    const { scan } = this;
    const { bytes } = scan;
    this.predicted = 0;
    if (this.misfits.length > 0) this.misfits = [];
    let p = start;
    while (p < end) {
      let tag = bytes[p]!;
      if (tag === TAG_1) {
        p++;
      } else {
        p = scan.tag(p, end);
        if (p < 0) return KernelStatus.malformedPayload;
        tag = scan.value;
      }
      if (tag !== TAG_1) {
        p = scan.skip(tag, p, end, DEPTH.example);
        if (p < 0) return KernelStatus.malformedPayload;
        continue;
      }
      p = scan.length(p, end);
      if (p < 0) return KernelStatus.malformedPayload;
      const featuresEnd = p + scan.value;
      const status = this.features(p, featuresEnd, row);
      if (status !== KernelStatus.ok) return status;
      p = featuresEnd;
    }
    return this.misfits.length === 0 ? KernelStatus.ok : this.misfits[0]!.status;
  }

  /** Takes back what a record has put into `row`, new columns included. */
  forget(row: number, numColumnsBefore: number): void {
    this.table.truncate(numColumnsBefore);
    for (const column of this.table.columns) column.forget(row);
  }

  private features(start: number, end: number, row: number): KernelStatus {
    const { scan } = this;
    const { bytes } = scan;
    let p = start;
    while (p < end) {
      let tag = bytes[p]!;
      if (tag === TAG_1) {
        p++;
      } else {
        p = scan.tag(p, end);
        if (p < 0) return KernelStatus.malformedPayload;
        tag = scan.value;
      }
      if (tag !== TAG_1) {
        p = scan.skip(tag, p, end, DEPTH.features);
        if (p < 0) return KernelStatus.malformedPayload;
        continue;
      }
      let length = p < end ? bytes[p]! : 128;
      if (length < 128) {
        p++;
        if (length > end - p) {
          scan.fail(p - 1);
          return KernelStatus.malformedPayload;
        }
      } else {
        p = scan.length(p, end);
        if (p < 0) return KernelStatus.malformedPayload;
        length = scan.value;
      }
      const entryEnd = p + length;
      let appended: Appended = Appended.unusual;
      if (!this.isCareful && this.misfits.length === 0) appended = this.plainEntry(p, entryEnd, row);
      if (appended === Appended.unusual) {
        const status = this.anyEntry(p, entryEnd, row);
        if (status !== KernelStatus.ok) return status;
      } else if (appended === Appended.tooLarge) {
        scan.fail(p);
        return KernelStatus.batchTooLarge;
      }
      p = entryEnd;
    }
    return KernelStatus.ok;
  }

  /** An entry of exactly one key and one value, which has exactly one list, packed if it is of numbers. */
  private plainEntry(start: number, end: number, row: number): Appended {
    const { scan, view } = this;
    const { bytes } = scan;
    if (end - start < 4 || bytes[start] !== TAG_1) return Appended.unusual;
    const keyLength = bytes[start + 1]!;
    let p = start + 2 + keyLength;
    if (keyLength > 127 || end - p < 2 || bytes[p] !== TAG_2) return Appended.unusual;
    const column = this.columnOf(start + 2, keyLength);
    const isDropped = column === null ? this.unlisted === "drop" : column.role === "ignored";
    if (isDropped) {
      const isPlain = (column !== null || isAscii(bytes, start + 2, p)) && isPlainFeature(scan, p + 1, end);
      return isPlain ? Appended.ok : Appended.unusual;
    }
    if (column === null) return Appended.unusual;
    let length = bytes[p + 1]!;
    p += 2;
    if (length > 127) {
      p = scan.length(p - 1, end);
      if (p < 0) return Appended.unusual;
      length = scan.value;
    }
    if (length !== end - p || column.row > row) return Appended.unusual;
    if (length === 0) return column.firstRow < 0 ? Appended.unusual : Appended.ok;
    const { kind } = column;
    if (kind === FeatureKind.unset || bytes[p] !== kind * 8 + 2) return Appended.unusual;
    length = bytes[p + 1]!;
    p += 2;
    if (length > 127) {
      p = scan.length(p - 1, end);
      if (p < 0) return Appended.unusual;
      length = scan.value;
    }
    if (length !== end - p) return Appended.unusual;
    if (column.row !== row || row >= column.rowCapacity) column.seek(row);
    let result: Appended = Appended.ok;
    if (kind === FeatureKind.bytes) {
      result = appendBytesList(column, bytes, view, p, end);
    } else if (length > 0) {
      if (bytes[p] !== TAG_1) return Appended.unusual;
      length = bytes[p + 1]!;
      p += 2;
      if (length > 127) {
        p = scan.length(p - 1, end);
        if (p < 0) return Appended.unusual;
        length = scan.value;
      }
      if (length !== end - p) return Appended.unusual;
      if (kind === FeatureKind.int64) result = appendVarints(column, bytes, p, end);
      else result = length % 4 === 0 ? appendFloats(column, bytes, view, p, end) : Appended.unusual;
    }
    if (result === Appended.ok) column.commit();
    else column.discard();
    return result;
  }

  /** The column of a name: the predicted one, the one after it (a feature may be missing), or by hash. */
  private columnOf(keyStart: number, keyLength: number): ExampleColumn | null {
    const { bytes } = this.scan;
    const { columns } = this.table;
    let position = this.predicted;
    let column: ExampleColumn | undefined;
    if (this.isOrdered) {
      column = columns[position];
      if (column !== undefined && isKey(column, bytes, this.view, keyStart, keyLength)) {
        this.predicted = position + 1 < columns.length ? position + 1 : 0;
        return column;
      }
      column = columns[++position];
      if (column !== undefined && isKey(column, bytes, this.view, keyStart, keyLength)) {
        this.predicted = position + 1 < columns.length ? position + 1 : 0;
        return column;
      }
    }
    position = this.table.find(bytes, this.view, keyStart, keyLength);
    if (position < 0) return null;
    this.isOrdered = position === this.predicted;
    this.predicted = position + 1 < columns.length ? position + 1 : 0;
    return columns[position]!;
  }

  private anyEntry(start: number, end: number, row: number): KernelStatus {
    const { scan, entryReader } = this;
    if (!entryReader.read(scan, start, end)) return KernelStatus.malformedPayload;
    const { keyStart, keyEnd, kind } = entryReader;
    let column = this.columnOf(keyStart, keyEnd - keyStart);
    if (column === null) {
      if (this.unlisted === "drop") return KernelStatus.ok;
      const featureName = this.names.decode(scan.bytes.subarray(keyStart, keyEnd));
      if (this.unlisted === "error") {
        this.dropMisfit(featureName);
        if (kind !== FeatureKind.unset) {
          this.misfits.push({
            status: KernelStatus.unlistedFeature,
            offset: start,
            featureName,
            actualKind: kind,
          });
        }
        return KernelStatus.ok;
      }
      column = new ExampleColumn(featureName, "discovered");
      this.table.add(column);
    }
    if (column.role === "ignored") return KernelStatus.ok;
    // The last entry of a name counts, and it alone.
    column.clear(row);
    this.dropMisfit(column.name);
    if (column.firstRow < 0) {
      column.firstRow = row;
      this.numSightings++;
    }
    if (kind === FeatureKind.unset) return KernelStatus.ok;
    if (column.kind === FeatureKind.unset) column.discoverKind(kind, row);
    if (column.kind !== kind) {
      const expectedKind = column.kind;
      this.misfits.push({
        status: KernelStatus.wrongKind,
        offset: start,
        featureName: column.name,
        expectedKind,
        actualKind: kind,
      });
      return KernelStatus.ok;
    }
    column.seek(row);
    if (entryReader.appendTo(column, scan, this.view) === Appended.ok) {
      column.commit();
      return KernelStatus.ok;
    }
    scan.fail(start);
    return KernelStatus.batchTooLarge;
  }

  private dropMisfit(featureName: string): void {
    if (this.misfits.length > 0)
      this.misfits = this.misfits.filter((misfit) => misfit.featureName !== featureName);
  }
}
