import type { EntryMap, FoundColumns, Misfit } from "./entry-map.js";
import type { ExampleColumn } from "./example-column.js";
import type { FeatureListColumn } from "./feature-list-column.js";
import { DEPTH, TAG_1, TAG_2 } from "./feature-scan.js";
import { KernelStatus } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";

function firstOf(misfits: ReadonlyMap<string, Misfit> | undefined): Misfit | undefined {
  return misfits === undefined || misfits.size === 0 ? undefined : misfits.values().next().value;
}

/**
 * Puts records into columns, one row each: tf.Examples, or tf.SequenceExamples when there are `lists`. Of both, field 1
 * is a `Features`; to an Example, field 2 is unknown, or refused.
 */
export class RecordDecoder {
  /** Row that first had a `feature_lists` message in the batch, be it empty; -1 while none did. */
  firstListsRow = -1;
  private numFoundBefore = 0;

  constructor(
    readonly scan: MessageScan,
    readonly features: EntryMap<ExampleColumn>,
    readonly lists: EntryMap<FeatureListColumn> | null,
    readonly refusesLists: boolean,
    private readonly found: FoundColumns,
  ) {}

  /** Set when {@link decode} has returned `wrongKind` or `unlistedFeature`. */
  get misfit(): Misfit | undefined {
    return firstOf(this.features.misfits) ?? firstOf(this.lists?.misfits);
  }

  /** How often a column came into a batch. */
  get numSightings(): number {
    return this.features.numSightings + (this.lists === null ? 0 : this.lists.numSightings);
  }

  get numColumns(): number {
    return this.features.table.columns.length + (this.lists === null ? 0 : this.lists.table.columns.length);
  }

  /** Decodes the record from `start` to `end` into `row`. On any status but `ok` the row is unfinished. */
  decode(start: number, end: number, row: number): KernelStatus {
    const { scan, features, lists } = this;
    const { bytes } = scan;
    features.beginRecord();
    lists?.beginRecord();
    this.numFoundBefore = this.found.count;
    // Told of a record that is well-formed in all its parts.
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
        if (tag === TAG_2 && this.refusesLists) listsAt = at;
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
    return this.misfit?.status ?? KernelStatus.ok;
  }

  /** Takes back what the record has put into `row`. */
  forget(row: number): void {
    this.features.forgetRecord(row);
    this.lists?.forgetRecord(row);
    this.found.count = this.numFoundBefore;
    if (this.firstListsRow === row) this.firstListsRow = -1;
  }

  /** Drops the batch in the making. */
  restart(): void {
    this.features.restart();
    this.lists?.restart();
    this.firstListsRow = -1;
  }

  /** Bytes of all columns at `numRows` rows. */
  sizeAt(numRows: number): number {
    return this.features.sizeAt(numRows) + (this.lists === null ? 0 : this.lists.sizeAt(numRows));
  }
}
