/** A test vector of the dataset family. The README in the folder of the vectors explains the fields. */
export interface DatasetVector {
  readonly source?: SourceJson;
  readonly pipeline?: readonly OperationJson[];
  readonly reduce?: ReducerJson;
  readonly choose?: ChooseJson;
  /** Options of an Arrow dataset. */
  readonly dataset?: unknown;
  // The input of an Arrow dataset, in base64: an IPC stream, files, or the data that endpoints send.
  readonly ipcStreamBase64?: string;
  readonly files?: readonly string[];
  readonly endpoints?: readonly string[];
  /** Text of an endpoint to parse. Present if the `area` of the test vector is "endpoint". */
  readonly endpoint?: string;
  /** `multiset` compares the elements in any order. Default: in the given order. */
  readonly compare?: "multiset";
  readonly expect: ExpectationJson;
}

/** The source of a pipeline's elements. */
export type SourceJson =
  | { readonly kind: "range"; readonly start: number; readonly stop: number; readonly step: number }
  | { readonly kind: "list"; readonly dtype: string; readonly items: readonly unknown[] }
  | {
      readonly kind: "zip";
      readonly of: readonly SourceJson[] | Readonly<Record<string, SourceJson>>;
    }
  | { readonly kind: "pipe"; readonly source: SourceJson; readonly ops: readonly OperationJson[] };

/** One operation with its parameters. Most names are those of our methods and their options. */
export interface OperationJson {
  readonly op: string;
  /** The function to apply. For `scan`, this is only the function's name. */
  readonly fn?: FunctionJson | string;
  readonly keyFn?: FunctionJson;
  readonly init?: number | readonly number[];
  readonly start?: number;
  readonly count?: number;
  readonly minCount?: number;
  readonly size?: number;
  readonly shift?: number | "size";
  readonly stride?: number;
  readonly defaults?: "tensorflow";
  readonly batchSize?: number;
  readonly batchSizes?: readonly number[];
  readonly bufferSize?: number;
  readonly dropRemainder?: boolean;
  readonly seed?: number;
  readonly reshuffleEachIteration?: boolean;
  readonly numShards?: number;
  readonly index?: number;
  readonly with?: SourceJson;
  readonly paddedShapes?: unknown;
  readonly paddingValues?: unknown;
  readonly paddingValue?: number;
  readonly padNaN?: boolean;
  readonly rowShape?: readonly (number | null)[];
  readonly boundaries?: readonly number[];
  readonly padToBoundary?: boolean;
  readonly noPadding?: boolean;
  readonly windowSize?: number;
  readonly windowSizes?: Readonly<Record<string, number>>;
  readonly reduce?: readonly OperationJson[];
  readonly cycleLength?: number;
  readonly blockLength?: number;
}

/** A named function with its parameters. */
export interface FunctionJson {
  readonly name: string;
  readonly value?: number;
  readonly by?: number;
  readonly index?: number;
  readonly values?: readonly number[];
  readonly batchSize?: number;
  readonly dropRemainder?: boolean;
  readonly components?: readonly (readonly OperationJson[])[];
  readonly reducer?: ReducerJson | string;
}

/** A named reducer with its parameters. */
export interface ReducerJson {
  readonly name: string;
  readonly init?: number;
  readonly elementShape?: readonly number[];
  readonly paddedShape?: readonly (number | null)[];
  readonly paddingValue?: number;
}

/** Datasets to choose from. For each element, `choices` has the index of the dataset that provides it. */
export interface ChooseJson {
  readonly datasets: readonly SourceJson[];
  readonly choices: readonly number[];
  readonly stopOnEmpty?: boolean;
}

/** The expected result. Absent members are not checked, but an unexpected error is a failure. */
export interface ExpectationJson {
  readonly elements?: readonly unknown[];
  /** The result of a reduction. */
  readonly value?: unknown;
  readonly cardinality?: number | "unknown" | "infinite";
  /** The parts of the parsed endpoint. */
  readonly parsed?: unknown;
  /** The error that must end the construction, the pass, the reduction or the parsing. */
  readonly error?: {
    readonly category: string;
    readonly stage: string;
    readonly afterElements?: number;
    /** A name that the message must contain in double quotes. */
    readonly mustName?: string;
  };
  /** The errors of a pass that continues after errors. */
  readonly errors?: readonly { readonly afterElements: number; readonly category: string }[];
  readonly mayFailAtConstruction?: boolean;
}
