import { type ColumnsPlan, FeatureKind } from "../kernels.js";

/** Role of a column in a batch. The numbers match assembly/column.as. */
export const ColumnRole = { planned: 0, wanted: 1, discovered: 2, ignored: 3, unlisted: 4 } as const;
/** One of the values of {@link ColumnRole}. */
export type ColumnRole = (typeof ColumnRole)[keyof typeof ColumnRole];

/** Description of a column. An instance receives the descriptions of known columns before each batch. */
export interface ColumnDescription {
  readonly name: string;
  /** The name in UTF-8. */
  readonly key: Uint8Array;
  readonly role: ColumnRole;
  /** The planned kind, or `unset` if the column is not planned. */
  readonly kind: FeatureKind;
  /** True for a feature list. A feature may have the same name. */
  readonly isList: boolean;
  /**
   * Numbers of values, bytes and steps to make room for, estimated from earlier batches (see {@link nextHint}). Batches of steady
   * size then allocate only once.
   */
  valueHint: number;
  byteHint: number;
  stepHint: number;
}

type NewColumn = Pick<ColumnDescription, "name" | "role" | "kind" | "isList"> & { readonly key?: Uint8Array };

const utf8 = new TextEncoder();

/** Describes a column whose sizes are not known from an earlier batch. */
export function describeColumn({
  name,
  key = utf8.encode(name),
  role,
  kind,
  isList,
}: NewColumn): ColumnDescription {
  return { name, key, role, kind, isList, valueHint: 0, byteHint: 0, stepHint: 0 };
}

/** Describes the columns that a plan names: feature lists if `isList` is true, otherwise features. */
export function describePlan(
  plan: ColumnsPlan,
  { isList }: Pick<ColumnDescription, "isList">,
): ColumnDescription[] {
  const { columns, only = [], ignored = [] } = plan;
  const unplanned = (names: readonly string[], role: ColumnRole): ColumnDescription[] =>
    names.map((name) => describeColumn({ name, role, kind: FeatureKind.unset, isList }));
  const named =
    columns === undefined
      ? unplanned(only, ColumnRole.wanted)
      : columns.map(({ name, kind }) => describeColumn({ name, role: ColumnRole.planned, kind, isList }));
  return [...named, ...unplanned(ignored, ColumnRole.ignored)];
}

/** Size in bytes of the six words before each name: role, kind, three hints, and the name's length. */
const HEAD_BYTES = 24;
/** Bit that is set in the length of a feature list's name, to distinguish it from a feature's name. */
export const LIST_NAME = 0x8000_0000;

/** Encodes the columns in the form that `addColumns` of assembly/batch-columns.as reads. */
export function encodeColumns(columns: readonly ColumnDescription[]): Uint8Array {
  const bytes = new Uint8Array(columns.reduce((total, { key }) => total + padded(key.length), 0));
  const view = new DataView(bytes.buffer);
  let p = 0;
  for (const { key, role, kind, isList, valueHint, byteHint, stepHint } of columns) {
    view.setUint32(p, role, true);
    view.setUint32(p + 4, kind, true);
    view.setUint32(p + 8, valueHint, true);
    view.setUint32(p + 12, byteHint, true);
    view.setUint32(p + 16, stepHint, true);
    view.setUint32(p + 20, key.length + (isList ? LIST_NAME : 0), true);
    bytes.set(key, p + HEAD_BYTES);
    p += padded(key.length);
  }
  return bytes;
}

function padded(keyLength: number): number {
  return (HEAD_BYTES + keyLength + 3) & ~3;
}
