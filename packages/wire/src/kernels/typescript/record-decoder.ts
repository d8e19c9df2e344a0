import type { EntryMap, FoundColumns, Mismatch } from "./entry-map.js";
import type { ExampleColumn } from "./example-column.js";
import type { FeatureListColumn } from "./feature-list-column.js";
import { DEPTH, TAG_1, TAG_2 } from "./feature-scan.js";
import { KernelStatus } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";

function firstOf(mismatches: ReadonlyMap<string, Mismatch> | undefined): Mismatch | undefined {
  return mismatches === undefined || mismatches.size === 0 ? undefined : mismatches.values().next().value;
}

/**
 * Decodes each record into one row of the columns. Records are tf.SequenceExamples if `lists` is given, otherwise tf.Examples.
 * Field 1 of both is a `Features` message. Field 2 of an Example is ignored, or gives the status `featureLists` if
 * `rejectsLists` is true.
 */
export class RecordDecoder {
  /** First row in the batch whose record has a `feature_lists` message, even an empty one, or -1 if there is none. */
  firstListsRow = -1;
  private numFoundBefore = 0;

  constructor(
    readonly scan: MessageScan,
    readonly features: EntryMap<ExampleColumn>,
    readonly lists: EntryMap<FeatureListColumn> | null,
    readonly rejectsLists: boolean,
    private readonly found: FoundColumns,
  ) {}

  /**
   * The record's first mismatch of a feature or, if there is none, of a feature list. Present after {@link decode} has returned
   * `wrongKind` or `unlistedFeature`.
   */
  get mismatch(): Mismatch | undefined {
    return firstOf(this.features.mismatches) ?? firstOf(this.lists?.mismatches);
  }

  /** Sum of {@link EntryMap.numSightings} over features and feature lists. */
  get numSightings(): number {
    return this.features.numSightings + (this.lists === null ? 0 : this.lists.numSightings);
  }

  get numColumns(): number {
    return this.features.table.columns.length + (this.lists === null ? 0 : this.lists.table.columns.length);
  }

  /** Decodes the record from `start` to `end` into `row`. If the status is not `ok`, the row is unfinished. */
  decode(start: number, end: number, row: number): KernelStatus {
    const { scan, features, lists } = this;
    const { bytes } = scan;
    features.beginRecord();
    lists?.beginRecord();
    this.numFoundBefore = this.found.count;
    // Position of rejected feature lists. Reported only if the whole record is well-formed.
    let listsAt = -1;
    let p = start;
    while (p < end) {
      const at = p;
      let tag = bytes[p]!;
      if (tag === TAG_1) {
        p++;
      } else {
        p = scan.tag(p, end);
        if (p < 0) return KernelStatus.malformedPayload;
        tag = scan.value;
      }
      if (tag !== TAG_1 && (tag !== TAG_2 || lists === null)) {
        if (tag === TAG_2 && this.rejectsLists) listsAt = at;
        p = scan.skip(tag, p, end, DEPTH.record);
        if (p < 0) return KernelStatus.malformedPayload;
        continue;
      }
      p = scan.length(p, end);
      if (p < 0) return KernelStatus.malformedPayload;
      const messageEnd = p + scan.value;
      let status: KernelStatus;
      if (tag === TAG_1 || lists === null) {
        status = features.message(p, messageEnd, row);
      } else {
        if (this.firstListsRow < 0) this.firstListsRow = row;
        status = lists.message(p, messageEnd, row);
      }
      if (status !== KernelStatus.ok) return status;
      p = messageEnd;
    }
    if (listsAt >= 0) {
      scan.fail(listsAt);
      return KernelStatus.featureLists;
    }
    return this.mismatch?.status ?? KernelStatus.ok;
  }

  /** Removes everything that the current record added to `row`. */
  forget(row: number): void {
    this.features.forgetRecord(row);
    this.lists?.forgetRecord(row);
    this.found.count = this.numFoundBefore;
    if (this.firstListsRow === row) this.firstListsRow = -1;
  }

  /** Discards the unfinished batch. */
  restart(): void {
    this.features.restart();
    this.lists?.restart();
    this.firstListsRow = -1;
  }

  /** Returns the size in bytes of all columns if they have `numRows` rows. */
  sizeAt(numRows: number): number {
    return this.features.sizeAt(numRows) + (this.lists === null ? 0 : this.lists.sizeAt(numRows));
  }
}
