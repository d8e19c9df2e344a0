import { Appended } from "./append-values.js";
import type { ColumnRole } from "./column-rows.js";
import { EntryMap } from "./entry-map.js";
import { ExampleColumn } from "./example-column.js";
import { FeatureReader } from "./feature-reader.js";
import { checkFeature, DEPTH } from "./feature-scan.js";
import { type ColumnsPlan, FeatureKind } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";
import { appendPlainFeature, isPlainFeature } from "./plain-feature.js";

/** Puts the entries of a `tensorflow.Features` into columns of values. */
export class FeatureMap extends EntryMap<ExampleColumn> {
  private readonly feature = new FeatureReader();

  constructor(scan: MessageScan, plan: ColumnsPlan, isCareful: boolean) {
    super(scan, plan, isCareful, (s, start, end) => checkFeature(s, start, end, DEPTH.value));
  }

  protected createColumn(name: string, role: ColumnRole, kind?: FeatureKind): ExampleColumn {
    return new ExampleColumn(name, role, kind);
  }

  protected appendPlainValue(column: ExampleColumn, start: number, end: number, row: number): Appended {
    return start === end ? Appended.ok : appendPlainFeature(column, this.scan, start, end, row);
  }

  protected isPlainValue(start: number, end: number): boolean {
    return isPlainFeature(this.scan, start, end);
  }

  protected kindOfValue(bounds: readonly number[]): FeatureKind {
    const { feature } = this;
    feature.begin();
    for (let i = 0; i < bounds.length; i += 2) feature.merge(this.scan, bounds[i]!, bounds[i + 1]!);
    return feature.kind;
  }

  protected appendValue(
    column: ExampleColumn,
    _bounds: readonly number[],
    row: number,
    offset: number,
  ): Appended {
    const { feature } = this;
    const { kind } = feature;
    if (kind === FeatureKind.unset) return Appended.ok;
    if (column.kind === FeatureKind.unset) column.discoverKind(kind, row);
    if (column.kind !== kind) {
      this.wrongKind(column, column.kind, kind, offset);
      return Appended.ok;
    }
    if (!column.reserveRows(row)) return Appended.tooLarge;
    column.seek(row);
    const result = feature.appendTo(column, this.scan);
    if (result === Appended.ok) column.commit();
    return result;
  }
}
