/** A pipeline vector; the README beside the vectors explains the fields. */
export interface DatasetVector {
  readonly source?: SourceJson;
  readonly pipeline?: readonly OperationJson[];
  readonly reduce?: unknown;
  readonly choose?: unknown;
  readonly compare?: "multiset";
  readonly expect: ExpectationJson;
}

/** Where elements come from. */
export type SourceJson =
  | { readonly kind: "range"; readonly start: number; readonly stop: number; readonly step: number }
  | { readonly kind: "list"; readonly dtype: string; readonly items: readonly unknown[] }
  | { readonly kind: "zip" | "pipe" };

/** One operation with its parameters, under the names of our methods. */
export interface OperationJson {
  readonly op: string;
  readonly fn?: FunctionJson;
  readonly count?: number;
  readonly batchSize?: number;
  readonly bufferSize?: number;
  readonly dropRemainder?: boolean;
  readonly seed?: number;
  readonly reshuffleEachIteration?: boolean;
}

/** A named function with its parameters. */
export interface FunctionJson {
  readonly name: string;
  readonly value?: number;
  readonly by?: number;
  readonly index?: number;
  readonly values?: readonly number[];
}

/** What has to come out. */
export interface ExpectationJson {
  readonly elements?: readonly unknown[];
  readonly cardinality?: number | "unknown" | "infinite";
  readonly error?: { readonly category: string; readonly stage: string; readonly afterElements?: number };
  readonly errors?: readonly { readonly afterElements: number; readonly category: string }[];
  readonly mayFailAtConstruction?: boolean;
}
