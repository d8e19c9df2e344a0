import { Appended } from "./append-values.js";
import { ColumnOrder } from "./column-order.js";
import type { ColumnRole, ColumnRows } from "./column-rows.js";
import { ColumnTable } from "./column-table.js";
import { compareBytes } from "../compare-bytes.js";
import { EntryReader, type MessageCheck } from "./entry-reader.js";
import { DEPTH, TAG_1, TAG_2 } from "./feature-scan.js";
import { type ColumnsPlan, FeatureKind, KernelStatus } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";
import { isAscii } from "./plain-feature.js";

/** Number of unplanned columns found in a batch, and its maximum. Entries that `unlisted: "error"` forbids also count. */
export interface FoundColumns {
  count: number;
  readonly most: number;
}

/**
 * A well-formed entry that contradicts the plan or, in discovery, an earlier kind in the batch. If the record has a later entry
 * with the same name, the mismatch is cancelled.
 */
export interface Mismatch {
  readonly status: typeof KernelStatus.wrongKind | typeof KernelStatus.unlistedFeature;
  readonly offset: number;
  readonly featureName: string;
  readonly expectedKind?: FeatureKind;
  readonly actualKind?: FeatureKind;
  readonly isFeatureList?: true;
}

/** A column of the values of all map entries with the same name. */
export interface EntryColumn extends ColumnRows {
  discard(): void;
  /** Removes `row` if it was the last finished row, and the kind if that row introduced it. */
  clear(row: number): void;
  forget(row: number): void;
  restart(): void;
  sizeAt(numRows: number): number;
}

/** Checks the values V of a `map<string, V>` message and appends them to columns. */
export interface EntryValues<C extends EntryColumn> {
  /** Copied to {@link Mismatch.isFeatureList}. */
  readonly isFeatureList?: true;
  readonly check: MessageCheck;
  createColumn(name: string, role: ColumnRole, kind?: FeatureKind): C;
  /**
   * Appends the value as row `row`. `unusual` leaves the decision to the strict path. The column is then unchanged, except that
   * missing rows before `row` may have become null.
   */
  appendPlain(column: C, start: number, end: number, row: number): Appended;
  /**
   * Returns true if the value is well-formed and in the form that serializers write. False leaves the decision to the strict
   * path.
   */
  isPlain(start: number, end: number): boolean;
  /**
   * Returns the kind of the value into which the checked messages merge, or `unset` if it has none. `bounds` holds the start
   * and end of each message.
   */
  kindOf(bounds: readonly number[]): FeatureKind;
  /**
   * Appends the value of the last {@link kindOf} call as row `row`. If the column cannot hold the value, calls `onWrongKind`
   * instead.
   */
  append(column: C, bounds: readonly number[], row: number, onWrongKind: WrongKind): Appended;
}

/** Called with the kind of a column and the kind of a value that the column cannot hold. */
export type WrongKind = (expectedKind: FeatureKind, actualKind: FeatureKind) => void;

/**
 * Decodes the entries of a `map<string, V>` message into columns. If a name occurs several times in a record, the last entry is
 * used. A fast path handles entries in the form that serializers write. {@link EntryReader} handles every other form that
 * protobuf allows, and detects malformed entries.
 */
export class EntryMap<C extends EntryColumn> {
  readonly table: ColumnTable<C> = new ColumnTable();
  private readonly order: ColumnOrder<C>;
  /** Mismatches of the current record by name, in the order of the record. */
  readonly mismatches: Map<string, Mismatch> = new Map();
  /**
   * Goes up by one whenever an unplanned column first occurs in a batch. The column then also takes memory for earlier rows. This
   * number is never reset.
   */
  numSightings = 0;
  /** True if the plan lists the columns, so that batches have them in the plan's order. */
  readonly isPlanned: boolean;
  private readonly scan: MessageScan;
  private readonly values: EntryValues<C>;
  private readonly found: FoundColumns;
  private readonly unlisted: "drop" | "error" | "discover";
  private readonly isStrict: boolean;
  private readonly entryReader: EntryReader;
  private readonly names = new TextDecoder("utf-8", { ignoreBOM: true });
  private numColumnsBefore = 0;

  /**
   * Creates a map without rows. All maps of a record share `found`. `isStrict` sends every entry through the strict path, for
   * tests that compare both paths.
   */
  constructor(
    scan: MessageScan,
    values: EntryValues<C>,
    plan: ColumnsPlan,
    { found, isStrict = false }: { readonly found: FoundColumns; readonly isStrict?: boolean },
  ) {
    const { columns, only, ignored = [], unlisted = "drop" } = plan;
    this.scan = scan;
    this.values = values;
    this.found = found;
    this.order = new ColumnOrder(this.table);
    this.isStrict = isStrict;
    this.entryReader = new EntryReader(values.check);
    this.isPlanned = columns !== undefined;
    this.unlisted = columns !== undefined ? unlisted : only !== undefined ? "drop" : "discover";
    if (columns !== undefined) {
      for (const { name, kind } of columns) this.table.add(values.createColumn(name, "planned", kind));
    } else {
      for (const name of only ?? []) this.table.add(values.createColumn(name, "wanted"));
    }
    for (const name of ignored) this.table.add(values.createColumn(name, "ignored"));
  }

  beginRecord(): void {
    this.order.beginRecord();
    this.numColumnsBefore = this.table.columns.length;
    this.mismatches.clear();
  }

  /** Removes everything that the current record added to `row`, including new columns. */
  forgetRecord(row: number): void {
    this.table.truncate(this.numColumnsBefore);
    for (const column of this.table.columns) column.forget(row);
  }

  /**
   * Decodes one map message of the record. A record may have several, which merge. If the status is not `ok`, the row is
   * unfinished.
   */
  message(start: number, end: number, row: number): KernelStatus {
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
        p = scan.skip(tag, p, end, DEPTH.map);
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
      if (!this.isStrict && this.mismatches.size === 0) appended = this.plainEntry(p, entryEnd, row);
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

  /** Returns the columns of the batch in output order. Forgets discovered columns that this batch lacks. */
  presentColumns(): readonly C[] {
    const present = this.table.columns.filter((column) => column.role !== "ignored" && column.firstRow >= 0);
    if (!this.isPlanned) present.sort((a, b) => compareBytes(a.key, b.key));
    this.table.retain((column) => column.role !== "discovered" || column.firstRow >= 0);
    return present;
  }

  restart(): void {
    for (const column of this.table.columns) column.restart();
    this.table.retain((column) => column.role !== "discovered");
  }

  sizeAt(numRows: number): number {
    let total = 0;
    for (const column of this.table.columns) total += column.sizeAt(numRows);
    return total;
  }

  /** Decodes an entry with exactly one key, of at most 127 bytes, and one value. `unusual` leaves it to the strict path. */
  private plainEntry(start: number, end: number, row: number): Appended {
    const { scan } = this;
    const { bytes } = scan;
    if (end - start < 4 || bytes[start] !== TAG_1) return Appended.unusual;
    const keyLength = bytes[start + 1]!;
    let p = start + 2 + keyLength;
    if (keyLength > 127 || end - p < 2 || bytes[p] !== TAG_2) return Appended.unusual;
    const column = this.order.find(bytes, scan.view, start + 2, keyLength);
    if (column === null && (this.unlisted !== "drop" || !isAscii(bytes, start + 2, p)))
      return Appended.unusual;
    let length = bytes[p + 1]!;
    p += 2;
    if (length > 127) {
      p = scan.length(p - 1, end);
      if (p < 0) return Appended.unusual;
      length = scan.value;
    }
    if (length !== end - p) return Appended.unusual;
    if (column === null || column.role === "ignored") {
      return this.values.isPlain(p, end) ? Appended.ok : Appended.unusual;
    }
    // The strict path replaces earlier entries of the same name, and registers names that are new to the batch.
    if (column.row > row || column.firstRow < 0) return Appended.unusual;
    return this.values.appendPlain(column, p, end, row);
  }

  /** Decodes an entry in any form that protobuf allows. This is the strict path. */
  private anyEntry(start: number, end: number, row: number): KernelStatus {
    const { scan, entryReader } = this;
    if (!entryReader.read(scan, start, end)) return KernelStatus.malformedPayload;
    const { keyStart, keyEnd, values } = entryReader;
    let column = this.order.find(scan.bytes, scan.view, keyStart, keyEnd - keyStart);
    if (column === null && this.unlisted === "drop") return KernelStatus.ok;
    const kind = this.values.kindOf(values);
    if (column === null) {
      const featureName = this.names.decode(scan.bytes.subarray(keyStart, keyEnd));
      if (this.unlisted === "error") {
        this.dropMismatch(featureName);
        if (kind !== FeatureKind.unset) {
          if (!this.findsOneMore()) return this.crowded(start);
          const status = KernelStatus.unlistedFeature;
          this.mismatch({ status, offset: start, featureName, actualKind: kind });
        }
        return KernelStatus.ok;
      }
      // Check the limit before creating the column, because a column takes memory.
      if (this.found.count >= this.found.most) return this.crowded(start);
      column = this.values.createColumn(featureName, "discovered");
      this.table.add(column);
    }
    if (column.role === "ignored") return KernelStatus.ok;
    column.clear(row);
    this.dropMismatch(column.name);
    if (column.firstRow < 0) {
      if (this.unlisted === "discover" && !this.findsOneMore()) return this.crowded(start);
      column.firstRow = row;
      this.numSightings++;
    }
    const { name } = column;
    const appended = this.values.append(column, values, row, (expectedKind, actualKind) => {
      this.mismatch({
        status: KernelStatus.wrongKind,
        offset: start,
        featureName: name,
        expectedKind,
        actualKind,
      });
    });
    if (appended === Appended.ok) return KernelStatus.ok;
    scan.fail(start);
    return KernelStatus.batchTooLarge;
  }

  /** Counts one more unplanned column or forbidden entry. Returns false if that exceeds the maximum. */
  private findsOneMore(): boolean {
    return this.found.count++ < this.found.most;
  }

  private crowded(start: number): KernelStatus {
    this.scan.fail(start);
    return KernelStatus.tooManyColumns;
  }

  private mismatch(mismatch: Mismatch): void {
    const { featureName } = mismatch;
    this.mismatches.set(
      featureName,
      this.values.isFeatureList === true ? { ...mismatch, isFeatureList: true } : mismatch,
    );
  }

  private dropMismatch(featureName: string): void {
    this.mismatches.delete(featureName);
  }
}
