import { Appended, appendBytes, appendFloats, appendVarints } from "./append-values.js";
import type { ExampleColumn } from "./example-column.js";
import { DEPTH, isValueTag, kindOfTag, TAG_1 } from "./feature-scan.js";
import { FeatureKind } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";

/**
 * Reads a `tensorflow.Feature` in every form that protobuf allows. The message must have passed its {@link MessageCheck}. The
 * last member of the oneof wins, lists of the same kind merge, and values may be packed or not.
 */
export class FeatureReader {
  /** Kind after merging, or `unset` if the feature has no list. */
  kind: FeatureKind = FeatureKind.unset;
  /** Alternating starts and ends of the lists that make up the feature. A change of kind discards the earlier lists. */
  private readonly lists: number[] = [];

  /** Begins a feature without a kind. */
  begin(): void {
    this.kind = FeatureKind.unset;
    this.lists.length = 0;
  }

  merge(scan: MessageScan, start: number, end: number): void {
    let p = start;
    while (p < end) {
      p = scan.tag(p, end);
      const tag = scan.value;
      const kind = kindOfTag(tag);
      if (kind === FeatureKind.unset) {
        // The check has already limited the nesting, so this call need not.
        p = scan.skip(tag, p, end, DEPTH.record);
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

  appendTo(column: ExampleColumn, scan: MessageScan): Appended {
    for (let i = 0; i < this.lists.length; i += 2) {
      const result = this.appendList(column, scan, this.lists[i]!, this.lists[i + 1]!);
      if (result !== Appended.ok) return result;
    }
    return Appended.ok;
  }

  private appendList(column: ExampleColumn, scan: MessageScan, start: number, end: number): Appended {
    const { bytes, view } = scan;
    let p = start;
    while (p < end) {
      p = scan.tag(p, end);
      const tag = scan.value;
      if (tag === TAG_1) p = scan.length(p, end);
      const valueStart = p;
      p = tag === TAG_1 ? p + scan.value : scan.skip(tag, p, end, DEPTH.record);
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
