import { Appended } from "./append-values.js";
import type { ColumnRole } from "./column-rows.js";
import type { EntryValues, WrongKind } from "./entry-map.js";
import type { MessageCheck } from "./entry-reader.js";
import { FeatureListColumn } from "./feature-list-column.js";
import { FeatureReader } from "./feature-reader.js";
import { checkFeatureList, DEPTH, TAG_1 } from "./feature-scan.js";
import { FeatureKind } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";
import { appendPlainFeature, isPlainFeatureList } from "./plain-feature.js";

/** Maximum number of steps of a feature list in a batch. The wasm implementation cannot store more (see assembly/steps.as). */
const MAX_STEPS = 0x3fff_0000;

/** Appends the values of a `tensorflow.FeatureLists` message to columns of steps. */
export class FeatureListValues implements EntryValues<FeatureListColumn> {
  readonly isFeatureList = true;
  readonly check: MessageCheck = checkFeatureList;
  private readonly feature = new FeatureReader();

  constructor(private readonly scan: MessageScan) {}

  createColumn(name: string, role: ColumnRole, kind?: FeatureKind): FeatureListColumn {
    return new FeatureListColumn(name, role, kind);
  }

  appendPlain(column: FeatureListColumn, start: number, end: number, row: number): Appended {
    const { scan } = this;
    const { bytes } = scan;
    const { steps } = column;
    if (!column.reserveRows(row)) return Appended.tooLarge;
    column.seek(row);
    let step = column.numValues;
    let p = start;
    let result: Appended = Appended.ok;
    while (p < end) {
      if (end - p < 2 || bytes[p] !== TAG_1) {
        result = Appended.unusual;
        break;
      }
      let length = bytes[p + 1]!;
      p += 2;
      if (length > 127) {
        p = scan.length(p - 1, end);
        if (p < 0) {
          result = Appended.unusual;
          break;
        }
        length = scan.value;
      }
      const stepEnd = p + length;
      if (stepEnd > end) result = Appended.unusual;
      else if (length > 0) result = appendPlainFeature(steps, scan, p, stepEnd, step);
      if (result !== Appended.ok) break;
      step++;
      p = stepEnd;
    }
    if (result === Appended.ok && step > MAX_STEPS) result = Appended.tooLarge;
    if (result !== Appended.ok) {
      column.discard();
      return result;
    }
    column.numValues = step;
    column.commit();
    return Appended.ok;
  }

  isPlain(start: number, end: number): boolean {
    return isPlainFeatureList(this.scan, start, end);
  }

  /** Returns the kind of the first step that has a kind, or `unset`. */
  kindOf(bounds: readonly number[]): FeatureKind {
    let kind: FeatureKind = FeatureKind.unset;
    this.eachStep(bounds, () => {
      kind = this.feature.kind;
      return kind === FeatureKind.unset;
    });
    return kind;
  }

  append(
    column: FeatureListColumn,
    bounds: readonly number[],
    row: number,
    onWrongKind: WrongKind,
  ): Appended {
    const { scan, feature } = this;
    const { steps } = column;
    if (!column.reserveRows(row)) return Appended.tooLarge;
    column.seek(row);
    let result: Appended = Appended.ok;
    const fits = this.eachStep(bounds, () => {
      const { kind } = feature;
      const step = column.numValues++;
      if (kind === FeatureKind.unset) return true;
      if (steps.kind === FeatureKind.unset) steps.discoverKind(kind, step);
      if (steps.kind !== kind) {
        onWrongKind(steps.kind, kind);
        return false;
      }
      if (!steps.reserveRows(step)) result = Appended.tooLarge;
      else {
        steps.seek(step);
        result = feature.appendTo(steps, scan);
        if (result === Appended.ok) steps.commit();
      }
      return result === Appended.ok;
    });
    if (fits && column.numValues > MAX_STEPS) result = Appended.tooLarge;
    if (fits && result === Appended.ok) column.commit();
    else column.discard();
    return result;
  }

  /** Reads the steps in order until `visit` returns false. Returns true if `visit` never returned false. */
  private eachStep(bounds: readonly number[], visit: () => boolean): boolean {
    const { scan, feature } = this;
    for (let i = 0; i < bounds.length; i += 2) {
      const end = bounds[i + 1]!;
      let p = bounds[i]!;
      while (p < end) {
        p = scan.tag(p, end);
        const tag = scan.value;
        if (tag !== TAG_1) {
          p = scan.skip(tag, p, end, DEPTH.record);
          continue;
        }
        p = scan.length(p, end);
        const stepEnd = p + scan.value;
        feature.begin();
        feature.merge(scan, p, stepEnd);
        p = stepEnd;
        if (!visit()) return false;
      }
    }
    return true;
  }
}
