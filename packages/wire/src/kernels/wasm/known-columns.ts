import { compareBytes } from "../compare-bytes.js";
import { type ColumnsPlan, FeatureKind } from "../kernels.js";
import { type ColumnDescription, ColumnRole, describeColumn, describePlan } from "./column-description.js";
import { ColumnRecord } from "./column-record.js";
import type { KernelInstance } from "./kernel-instance.js";
import {
  type BatchBuffers,
  type BatchRecords,
  emptyColumn,
  emptyList,
  type NamedColumn,
} from "./owned-columns.js";

interface KnownColumn extends NamedColumn {
  readonly key: Uint8Array;
}

/**
 * The columns that an instance receives before each batch: the columns that a plan names, then those that the previous batch
 * discovered. Each has hints about its size.
 */
export class KnownColumns {
  readonly #planned: readonly ColumnDescription[];
  /** True if the plan does not list the features. They are then returned in the byte order of their names. */
  readonly #areFeaturesSorted: boolean;
  /** The same for feature lists. */
  readonly #areListsSorted: boolean;
  readonly #names = new TextDecoder("utf-8", { ignoreBOM: true });
  #all: readonly ColumnDescription[];

  /** @param lists Plan of the feature lists. Null for tf.Examples. */
  constructor(features: ColumnsPlan, lists: ColumnsPlan | null) {
    const described = lists === null ? [] : describePlan(lists, { isList: true });
    this.#planned = [...describePlan(features, { isList: false }), ...described];
    this.#areFeaturesSorted = features.columns === undefined;
    this.#areListsSorted = lists?.columns === undefined;
    this.#all = this.#planned;
  }

  get all(): readonly ColumnDescription[] {
    return this.#all;
  }

  /** Forgets the columns that no plan names. */
  reset(): void {
    this.#all = this.#planned;
  }

  /**
   * Returns the columns of the instance's finished batch in output order. Remembers them for the next batch.
   * @param growth Expected number of rows of the next batch divided by that of this batch. Infinity if it is unknown.
   */
  take(
    instance: KernelInstance,
    firstColumn: number,
    growth: number,
  ): Pick<BatchRecords, "columns" | "lists"> {
    const columns: KnownColumn[] = [];
    const lists: KnownColumn[] = [];
    const known: ColumnDescription[] = [];
    for (let i = 0, address = firstColumn; address !== 0; i++) {
      const record = new ColumnRecord(instance, address);
      const description = this.#all[i] ?? this.#describe(record);
      const { name, key, role, isList } = description;
      address = record.next;
      if (record.isSighted || role !== ColumnRole.discovered) known.push(description);
      if (!record.isSighted || role === ColumnRole.ignored) continue;
      const valued = isList ? record.steps : record;
      description.valueHint = nextHint(description.valueHint, valued.numValues, growth);
      description.byteHint = nextHint(description.byteHint, valued.numBytes, growth);
      description.stepHint = isList ? nextHint(description.stepHint, record.numValues, growth) : 0;
      (isList ? lists : columns).push({ name, key, record });
    }
    this.#all = known;
    if (this.#areFeaturesSorted) columns.sort((a, b) => compareBytes(a.key, b.key));
    if (this.#areListsSorted) lists.sort((a, b) => compareBytes(a.key, b.key));
    return { columns, lists };
  }

  /** Returns a batch without rows. */
  empty({ keepsRaw }: { readonly keepsRaw: boolean }): BatchBuffers {
    const planned = this.#planned.filter(({ role }) => role === ColumnRole.planned);
    return {
      columns: planned.filter(({ isList }) => !isList).map(({ name, kind }) => emptyColumn(name, kind)),
      featureLists: planned.filter(({ isList }) => isList).map(({ name, kind }) => emptyList(name, kind)),
      rawRecords: keepsRaw ? { values: new Uint8Array(0), valueOffsets: new Int32Array(1) } : undefined,
    };
  }

  #describe(record: ColumnRecord): ColumnDescription {
    const { key, isList } = record;
    const name = this.#names.decode(key);
    return describeColumn({ name, key, role: ColumnRole.discovered, kind: FeatureKind.unset, isList });
  }
}

/**
 * Returns the room for the next batch: the larger of two sizes. The first is an eighth more than this batch used. The second is
 * a sixteenth less than the earlier room `before`, so a short batch, such as the last one of a file, does not shrink the room
 * much. The second size is limited to what the next batch is expected to use: `growth` times what this batch used. A column
 * that outgrows its room is moved, and leaves a hole.
 */
export function nextHint(before: number, used: number, growth: number = Number.POSITIVE_INFINITY): number {
  const most = before - (before >>> 4);
  const expected = growth === Number.POSITIVE_INFINITY ? most : Math.ceil(used * growth);
  return Math.max(used + (used >>> 3), Math.min(most, expected));
}
