import { compareBytes } from "../compare-bytes.js";
import { type ColumnBuffers, type ExamplePlan, FeatureKind } from "../kernels.js";
import { type ColumnDescription, ColumnRole, describeColumn, describePlan } from "./column-description.js";
import { ColumnRecord } from "./column-record.js";
import type { Engine } from "./engine.js";
import { emptyColumn, type NamedColumn } from "./owned-columns.js";

/**
 * The columns that an engine is told of before each batch: those of the plan, and behind them those that the last batch
 * had as well, with how much it had.
 */
export class KnownColumns {
  readonly #planned: readonly ColumnDescription[];
  readonly #isSorted: boolean;
  readonly #names = new TextDecoder("utf-8", { ignoreBOM: true });
  #all: readonly ColumnDescription[];

  constructor(plan: ExamplePlan) {
    this.#planned = describePlan(plan);
    this.#isSorted = plan.columns === undefined;
    this.#all = this.#planned;
  }

  get all(): readonly ColumnDescription[] {
    return this.#all;
  }

  /** Forgets what no plan names. */
  reset(): void {
    this.#all = this.#planned;
  }

  /** The columns of the batch that an engine has finished, in the order of output. Remembers them for the next. */
  take(engine: Engine, firstColumn: number): NamedColumn[] {
    const columns: (NamedColumn & { readonly key: Uint8Array })[] = [];
    const known: ColumnDescription[] = [];
    for (let i = 0, address = firstColumn; address !== 0; i++) {
      const record = new ColumnRecord(engine, address);
      const description = this.#all[i] ?? this.#describe(record);
      address = record.next;
      if (record.isSighted || description.role !== ColumnRole.discovered) known.push(description);
      if (!record.isSighted || description.role === ColumnRole.ignored) continue;
      description.valueHint = withHeadroom(record.numValues);
      description.byteHint = withHeadroom(record.numBytes);
      columns.push({ name: description.name, key: description.key, record });
    }
    this.#all = known;
    if (this.#isSorted) columns.sort((a, b) => compareBytes(a.key, b.key));
    return columns;
  }

  /** The columns of a batch of no rows. */
  empty(): ColumnBuffers[] {
    return this.#planned
      .filter(({ role }) => role === ColumnRole.planned)
      .map(({ name, kind }) => emptyColumn(name, kind));
  }

  #describe(record: ColumnRecord): ColumnDescription {
    const { key } = record;
    return describeColumn(this.#names.decode(key), ColumnRole.discovered, FeatureKind.unset, key);
  }
}

/** Room for the batch after one that used so much. */
export function withHeadroom(used: number): number {
  return used + (used >>> 3);
}
