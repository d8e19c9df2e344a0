import type {
  AnyTensor,
  HostColumn,
  HostDense,
  HostRagged,
  HostSparse,
  Tensor,
  TensorOf,
} from "@tfxio/tensor-adapter";
import type { RowLeaf } from "./column-rows.js";
import type { Tuple } from "./structure.js";

/** Values without components: what an element consists of. An array is one value, see {@link tuple}. */
export type Leaf =
  | number
  | bigint
  | boolean
  | string
  | null
  | undefined
  | ArrayBufferView
  | HostColumn
  | AnyTensor
  | readonly LeafItem[];

/** Item of an array. Nested arrays must be rectangular. */
export type LeafItem = number | bigint | boolean | string | Uint8Array | readonly LeafItem[];

/** Type of a batch of `T`: every host leaf a host column, every tensor a tensor, in the same structure. */
export type Batched<T> = unknown extends T
  ? unknown
  : T extends Tensor | HostSparse | HostRagged | null | undefined
    ? T
    : T extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: Batched<Components[Index]> }>
      : T extends Leaf
        ? HostDense
        : { readonly [Key in keyof T]: Batched<T[Key]> };

/** Type of `T` with tensors for host leaves; `Host` is what may stay on the host. */
export type WithTensors<T, Host = never> = unknown extends T
  ? unknown
  : T extends AnyTensor | null | undefined
    ? T
    : T extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: WithTensors<Components[Index], Host> }>
      : T extends HostColumn
        ? TensorOf<T> | Host
        : T extends Leaf
          ? Tensor | Host
          : { readonly [Key in keyof T]: WithTensors<T[Key], Host> };

/** Type of a row of column batches: scalars are plain values, strings their bytes. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends HostSparse
    ? HostSparse
    : Columns[Name] extends HostDense
      ? Exclude<RowLeaf, HostSparse | HostRagged>
      : Columns[Name] extends HostRagged
        ? HostDense | HostRagged
        : RowLeaf;
};

/** Type of the components of `T` that a selection names. */
export type Selected<T, Selection> = Selection extends keyof T
  ? T[Selection]
  : Selection extends readonly (infer Key)[]
    ? { readonly [Each in Key & keyof T]: T[Each] }
    : unknown;

/** Keys that a selection names. */
export type KeysOf<Selection> = Selection extends readonly (infer Key)[] ? Key : Selection;

/** Rows of a batch of `T`: every host column one of its rows. */
export type Unbatched<T> = unknown extends T
  ? unknown
  : T extends Tuple<infer Components>
    ? Tuple<{ readonly [Index in keyof Components]: Unbatched<Components[Index]> }>
    : T extends HostColumn
      ? RowOf<{ leaf: T }>["leaf"]
      : T extends readonly (infer Item)[]
        ? Item
        : T extends Leaf
          ? T
          : { readonly [Key in keyof T]: Unbatched<T[Key]> };
