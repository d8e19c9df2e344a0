import type { DType } from "@tfxio/tensor-adapter";
import type { Path } from "../path/path.js";
import type { LeafSchema, MessageSchema } from "../prensor/prensor-schema.js";

// Field types by path, for expressions over a literal schema. With any other schema these types accept every path, and field
// types are unknown.

/** `Typed` if both the schema and the path are literals, otherwise any schema. */
type IfLiteral<S extends MessageSchema, P, Typed> = string extends keyof S
  ? MessageSchema
  : P extends string
    ? string extends P
      ? MessageSchema
      : Typed
    : MessageSchema;

/** Paths of all fields of a schema. */
export type PathsOf<S extends MessageSchema> = {
  [K in keyof S & string]: S[K] extends { readonly fields: infer Sub extends MessageSchema }
    ? K | `${K}.${PathsOf<Sub>}`
    : K;
}[keyof S & string];

/** Type of a path argument: for a literal schema, one of its paths, `""` or a {@link Path}; otherwise any path. */
export type PathArgument<S extends MessageSchema> = string extends keyof S
  ? string | Path
  : PathsOf<S> | "" | Path;

/** Schema of the field at a path; `never` for an unknown path. */
export type FieldAt<S extends MessageSchema, P> = P extends `${infer K}.${infer Rest}`
  ? S[K] extends { readonly fields: infer Sub extends MessageSchema }
    ? FieldAt<Sub, Rest>
    : never
  : P extends keyof S
    ? S[P]
    : never;

/** Dtype of the leaf at a path; any dtype if it is not known at compile time. */
export type DTypeAt<S extends MessageSchema, P> = string extends keyof S
  ? DType
  : FieldAt<S, P> extends { readonly dtype: infer D extends DType }
    ? D
    : DType;

/** Path of the parent message; `""` for a field of the root. */
type ParentOf<P extends string> = P extends `${infer First}.${infer Rest}`
  ? Rest extends `${string}.${string}`
    ? `${First}.${ParentOf<Rest>}`
    : First
  : "";

type IsRepeated<F> = F extends { readonly isRepeated: true } ? true : false;

/** The field `F` with the cardinality `R`. */
type Repeated<F, R extends boolean> = F extends { readonly dtype: infer D extends DType }
  ? { readonly dtype: D; readonly isRepeated: R }
  : F extends { readonly fields: infer Sub extends MessageSchema }
    ? { readonly fields: Sub; readonly isRepeated: R }
    : never;

/** The schema with a new field below the message at `P`. */
type With<S extends MessageSchema, P extends string, As extends string, F> = P extends ""
  ? S & { readonly [K in As]: F }
  : P extends `${infer First}.${infer Rest}`
    ? { readonly [K in keyof S]: K extends First ? WithInside<S[K], Rest, As, F> : S[K] }
    : { readonly [K in keyof S]: K extends P ? WithInside<S[K], "", As, F> : S[K] };

/** The message `M` with a new field below the message at `P`, a path relative to `M`. */
type WithInside<M, P extends string, As extends string, F> = M extends {
  readonly fields: infer Sub extends MessageSchema;
}
  ? Omit<M, "fields"> & { readonly fields: With<Sub, P, As, F> }
  : M;

/** `S` itself, in a form that the compiler accepts as a schema. */
type Checked<S> = S extends MessageSchema ? S : MessageSchema;

/** The schema with a new field beside the field at `P`. */
export type Beside<S extends MessageSchema, P, As extends string, F> = IfLiteral<
  S,
  P,
  Checked<With<S, ParentOf<P & string>, As, F>>
>;

/** {@link With} for literal schemas and paths, otherwise any schema. */
export type Below<S extends MessageSchema, P, As extends string, F> = IfLiteral<
  S,
  P,
  Checked<With<S, P & string, As, F>>
>;

/** The schema after `promote`. */
export type Promoted<S extends MessageSchema, P, As extends string> = Beside<
  S,
  P extends string ? ParentOf<P> : P,
  As,
  P extends string
    ? Repeated<
        FieldAt<S, P>,
        IsRepeated<FieldAt<S, P>> extends true ? true : IsRepeated<FieldAt<S, ParentOf<P>>>
      >
    : never
>;

/** The schema after `broadcast`. */
export type Broadcast<
  S extends MessageSchema,
  P,
  Sibling extends string,
  As extends string,
> = P extends string
  ? Below<S, ParentOf<P> extends "" ? Sibling : `${ParentOf<P>}.${Sibling}`, As, FieldAt<S, P>>
  : MessageSchema;

/** The schema after `promoteAndBroadcast`. The type cannot know whether the copies are repeated. */
export type Moved<S extends MessageSchema, Fields extends Readonly<Record<string, unknown>>, P> = IfLiteral<
  S,
  P,
  Checked<
    WithAll<
      S,
      P & string,
      { readonly [K in keyof Fields & string]: Repeated<FieldAt<S, Fields[K]>, boolean> }
    >
  >
>;

/** The schema with several new fields below the message at `P`. */
type WithAll<S extends MessageSchema, P extends string, Added> = P extends ""
  ? S & Added
  : P extends `${infer First}.${infer Rest}`
    ? { readonly [K in keyof S]: K extends First ? WithAllInside<S[K], Rest, Added> : S[K] }
    : { readonly [K in keyof S]: K extends P ? WithAllInside<S[K], "", Added> : S[K] };

type WithAllInside<M, P extends string, Added> = M extends {
  readonly fields: infer Sub extends MessageSchema;
}
  ? Omit<M, "fields"> & { readonly fields: WithAll<Sub, P, Added> }
  : M;

/** The schema after `reroot`. */
export type Rerooted<S extends MessageSchema, P> = IfLiteral<
  S,
  P,
  FieldAt<S, P> extends { readonly fields: infer Sub extends MessageSchema } ? Sub : MessageSchema
>;

/** The schema after `project`. */
export type Projected<S extends MessageSchema, P> = IfLiteral<S, P, Checked<Kept<S, P & string>>>;

/**
 * The part of a schema that the paths `P` select. It has the fields named by the first steps of `P`, each reduced to what the
 * remaining steps select.
 */
type Kept<S extends MessageSchema, P extends string> = {
  readonly [K in keyof S & string as K extends FirstOf<P> ? K : never]: S[K] extends {
    readonly fields: infer Sub extends MessageSchema;
  }
    ? Omit<S[K], "fields"> & { readonly fields: Kept<Sub, RestOf<P, K>> }
    : S[K];
};

/** First step of each path. */
type FirstOf<P extends string> = P extends `${infer First}.${string}` ? First : P;
/** The paths that start with the step `K`, without that step. */
type RestOf<P extends string, K extends string> = P extends `${K}.${infer Rest}` ? Rest : never;

/** A leaf of a known type. */
export type Leaf<D extends DType, R extends boolean> = LeafSchema & {
  readonly dtype: D;
  readonly isRepeated: R;
};

/** A leaf with the cardinality of the field at `P`. */
export type LeafLike<S extends MessageSchema, P, D extends DType> = Leaf<D, IsRepeated<FieldAt<S, P>>>;
