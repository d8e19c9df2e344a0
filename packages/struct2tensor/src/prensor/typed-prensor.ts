import type { HostDense, HostRagged, HostSparse } from "@tfxio/tensor-adapter";
import type { DTypeAt, PathArgument } from "../expression/typed-fields.js";
import type { DenseOptions } from "../views/dense.js";
import type { LeafNode, RootNode } from "./nodes.js";
import type { MessageSchema } from "./prensor-schema.js";
import type { Prensor } from "./prensor.js";

/** The methods of {@link Prensor} that read one leaf, with paths and dtypes from a literal schema. */
export interface TypedViews<S extends MessageSchema> {
  /** {@link Prensor.leaf}, typed. */
  leaf<P extends PathArgument<S>>(path: P): LeafNode<DTypeAt<S, P>>;
  /** {@link Prensor.ragged}, typed. */
  ragged<P extends PathArgument<S>>(path: P): HostRagged<DTypeAt<S, P>>;
  /** {@link Prensor.sparse}, typed. */
  sparse<P extends PathArgument<S>>(path: P): HostSparse<DTypeAt<S, P>>;
  /** {@link Prensor.dense}, typed. */
  dense<P extends PathArgument<S>>(path: P, options?: DenseOptions): HostDense<DTypeAt<S, P>>;
}

/** A typed prensor if the schema is a literal, otherwise a plain {@link Prensor}. */
export type TypedPrensor<S extends MessageSchema> = string extends keyof S
  ? Prensor<RootNode>
  : TypedViews<S> & Prensor<RootNode>;
