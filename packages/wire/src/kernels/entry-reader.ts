import { Appended, appendBytes, appendFloats, appendVarints } from "./append-values.js";
import type { ExampleColumn } from "./example-column.js";
import { checkFeature, DEPTH, isValueTag, kindOfTag, TAG_1, TAG_2 } from "./feature-scan.js";
import { FeatureKind } from "./kernels.js";
import type { MessageScan } from "./message-scan.js";

/**
 * One entry of `Features.feature` in every form that protobuf allows: fields in any order, repeated, unknown, packed
 * or not. Reads in two passes, the first of which checks everything; so nothing is appended from a malformed entry.
 */
export class EntryReader {
  /** Bounds of the name; empty when the entry has no key. */
  keyStart = 0;
  keyEnd = 0;
  /** The kind after all merging; `unset` when there is no value, or one without a list. */
  kind: FeatureKind = FeatureKind.unset;
  /** Bounds of the entry's values, as messages of `tensorflow.Feature`: they merge. */
  private readonly values: number[] = [];
  /** Bounds of the lists that make up the feature: those of the last kind, since it was last changed. */
  private readonly lists: number[] = [];

  /** False if the entry is malformed; the scan's `errorAt` says where. */
  read(scan: MessageScan, start: number, end: number): boolean {
    this.keyStart = start;
    this.keyEnd = start;
    this.kind = FeatureKind.unset;
    this.values.length = 0;
    this.lists.length = 0;
    let p = start;
    while (p < end) {
      p = scan.tag(p, end);
      if (p < 0) return false;
      const tag = scan.value;
      if (tag !== TAG_1 && tag !== TAG_2) {
        p = scan.skip(tag, p, end, DEPTH.entry);
        if (p < 0) return false;
        continue;
      }
      p = scan.length(p, end);
      if (p < 0) return false;
      const fieldEnd = p + scan.value;
      if ((tag === TAG_1 ? scan.utf8(p, fieldEnd) : checkFeature(scan, p, fieldEnd)) < 0) return false;
      if (tag === TAG_2) {
        this.values.push(p, fieldEnd);
      } else {
        this.keyStart = p;
        this.keyEnd = fieldEnd;
      }
      p = fieldEnd;
    }
    for (let i = 0; i < this.values.length; i += 2)
      this.collectLists(scan, this.values[i]!, this.values[i + 1]!);
    return true;
  }

  /** Appends the feature's values. */
  appendTo(column: ExampleColumn, scan: MessageScan, view: DataView): Appended {
    for (let i = 0; i < this.lists.length; i += 2) {
      const result = this.appendList(column, scan, view, this.lists[i]!, this.lists[i + 1]!);
      if (result !== Appended.ok) return result;
    }
    return Appended.ok;
  }

  private collectLists(scan: MessageScan, start: number, end: number): void {
    let p = start;
    while (p < end) {
      p = scan.tag(p, end);
      const tag = scan.value;
      const kind = kindOfTag(tag);
      if (kind === FeatureKind.unset) {
        p = scan.skip(tag, p, end, DEPTH.feature);
        continue;
      }
      p = scan.length(p, end);
      const fieldEnd = p + scan.value;
      if (kind !== this.kind) this.lists.length = 0;
      this.kind = kind;
      this.lists.push(p, fieldEnd);
      p = fieldEnd;
    }
  }

  private appendList(
    column: ExampleColumn,
    scan: MessageScan,
    view: DataView,
    start: number,
    end: number,
  ): Appended {
    const { bytes } = scan;
    let p = start;
    while (p < end) {
      p = scan.tag(p, end);
      const tag = scan.value;
      if (tag === TAG_1) p = scan.length(p, end);
      const valueStart = p;
      p = tag === TAG_1 ? p + scan.value : scan.skip(tag, p, end, DEPTH.list);
      if (!isValueTag(this.kind, tag)) continue;
      const result =
        this.kind === FeatureKind.bytes
          ? appendBytes(column, bytes, view, valueStart, p)
          : this.kind === FeatureKind.float
            ? appendFloats(column, bytes, view, valueStart, p)
            : appendVarints(column, bytes, valueStart, p);
      if (result !== Appended.ok) return result;
    }
    return Appended.ok;
  }
}
