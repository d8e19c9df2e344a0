import { Appended } from "./append-values.js";
import type { ColumnRole } from "./column-rows.js";
import type { EntryValues, WrongKind } from "./entry-map.js";
import type { MessageCheck } from "./entry-reader.js";
import { ExampleColumn } from "./example-column.js";
import { FeatureReader } from "./feature-reader.js";
import { checkFeature, DEPTH } from "./feature-scan.js";
import { FeatureKind } from "../kernels.js";
import type { MessageScan } from "./message-scan.js";
import { appendPlainFeature, isPlainFeature } from "./plain-feature.js";

/** Appends the values of a `tensorflow.Features` message to columns. */
export class FeatureValues implements EntryValues<ExampleColumn> {
  readonly check: MessageCheck = (scan, start, end) => checkFeature(scan, start, end, DEPTH.value);
  private readonly feature = new FeatureReader();

  constructor(private readonly scan: MessageScan) {}

  createColumn(name: string, role: ColumnRole, kind?: FeatureKind): ExampleColumn {
    return new ExampleColumn(name, role, kind);
  }

  appendPlain(column: ExampleColumn, start: number, end: number, row: number): Appended {
    return start === end ? Appended.ok : appendPlainFeature(column, this.scan, start, end, row);
  }

  isPlain(start: number, end: number): boolean {
    return isPlainFeature(this.scan, start, end);
  }

  kindOf(bounds: readonly number[]): FeatureKind {
    const { feature } = this;
    feature.begin();
    for (let i = 0; i < bounds.length; i += 2) feature.merge(this.scan, bounds[i]!, bounds[i + 1]!);
    return feature.kind;
  }

  append(column: ExampleColumn, _bounds: readonly number[], row: number, onWrongKind: WrongKind): Appended {
    const { feature } = this;
    const { kind } = feature;
    if (kind === FeatureKind.unset) return Appended.ok;
    if (column.kind === FeatureKind.unset) column.discoverKind(kind, row);
    if (column.kind !== kind) {
      onWrongKind(column.kind, kind);
      return Appended.ok;
    }
    if (!column.reserveRows(row)) return Appended.tooLarge;
    column.seek(row);
    const result = feature.appendTo(column, this.scan);
    if (result === Appended.ok) column.commit();
    return result;
  }
}
