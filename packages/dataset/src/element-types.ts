import type { Tensor } from "@tensorflow/tfjs-core";
import type { AnyTensor, HostColumn } from "@tfxio/tensor-adapter";
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

/** What arrays hold; deeper arrays have to be rectangular. */
export type LeafItem = number | bigint | boolean | string | Uint8Array | readonly LeafItem[];

/** Type of a batch of `T`: every host leaf a host column, every tensor a tensor, in the same structure. */
export type Batched<T> = unknown extends T
  ? unknown
  : T extends Tensor
    ? Tensor
    : T extends null | undefined
      ? T
      : T extends Tuple<infer Components>
        ? Tuple<{ readonly [Index in keyof Components]: Batched<Components[Index]> }>
        : T extends Leaf
          ? HostColumn
          : { readonly [Key in keyof T]: Batched<T[Key]> };

/** Type of `T` with tensors for host leaves. */
export type WithTensors<T> = unknown extends T
  ? unknown
  : T extends AnyTensor | null | undefined
    ? T
    : T extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: WithTensors<Components[Index]> }>
      : T extends Leaf
        ? AnyTensor
        : { readonly [Key in keyof T]: WithTensors<T[Key]> };

/** Type of the components of `T` that a selection names. */
export type Selected<T, Selection> = Selection extends keyof T
  ? T[Selection]
  : Selection extends readonly (infer Key)[]
    ? { readonly [Each in Key & keyof T]: T[Each] }
    : unknown;

/** Keys that a selection names. */
export type KeysOf<Selection> = Selection extends readonly (infer Key)[] ? Key : Selection;
