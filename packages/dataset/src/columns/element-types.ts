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

/** A value without components. An array is one leaf: see {@link tuple}. */
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

/** Item of a leaf that is an array. Nested arrays must be rectangular. */
export type LeafItem = number | bigint | boolean | string | Uint8Array | readonly LeafItem[];

/** Type of a batch of `T`, in the same structure. Host leaves become host columns, and tensors stay tensors. */
export type Batched<T> = unknown extends T
  ? unknown
  : T extends Tensor | HostSparse | HostRagged | null | undefined
    ? T
    : T extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: Batched<Components[Index]> }>
      : T extends Leaf
        ? HostDense
        : { readonly [Key in keyof T]: Batched<T[Key]> };

/** Type of `T` with tensors in place of host leaves. `Host` is the type of leaves that may stay on the host. */
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

/** Type of one row of columns. Dense scalars other than float16 are plain values. A string is a `Uint8Array`. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends HostSparse
    ? HostSparse
    : Columns[Name] extends HostDense
      ? Exclude<RowLeaf, HostSparse | HostRagged>
      : Columns[Name] extends HostRagged
        ? HostDense | HostRagged
        : RowLeaf;
};

/** Type of the components of `T` that `Selection` names: one component for a key, or a dict for a list of keys. */
export type Selected<T, Selection> = Selection extends keyof T
  ? T[Selection]
  : Selection extends readonly (infer Key)[]
    ? { readonly [Each in Key & keyof T]: T[Each] }
    : unknown;

/** Type of the keys in a selection, which is a key or a list of keys. */
export type KeysOf<Selection> = Selection extends readonly (infer Key)[] ? Key : Selection;

/** Type of one row of a batch `T`: each host column is replaced by the type of one of its rows. */
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
