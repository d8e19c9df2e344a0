import { readFile } from "node:fs/promises";
import type { HostColumn } from "@tfxio/tensor-adapter";

/** Name of the file of {@link SavedModelAnswers}, which is in the folder of the models. */
export const ANSWERS_FILE = "answers.json";

/** Values in the form that `python/saved_models.py` prints: int64 as text, and bytes as base64. */
export type PlainValues = readonly (number | string | boolean)[];

/** A tensor that TensorFlow computed. */
export interface PlainTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly values: PlainValues;
}

type PlainTensors = Readonly<Record<string, PlainTensor>>;

/** Output of `python/saved_models.py`: the inputs, and TensorFlow's results for each signature. */
export interface SavedModelAnswers {
  /** Messages as JSON. */
  readonly orders: readonly object[];
  readonly score: PlainTensors;
  readonly lengths: PlainTensors;
  /** Records as base64. */
  readonly examples: readonly string[];
  readonly decode: PlainTensors;
  /** Records as base64. */
  readonly sentences: readonly string[];
  readonly words: PlainTensors;
}

/** Reads the answers that the parent process wrote for its child. */
export async function readAnswers(file: string): Promise<SavedModelAnswers> {
  return JSON.parse(await readFile(file, "utf8")) as SavedModelAnswers;
}

/** Converts the values of a host column to the form of {@link PlainValues}. */
export function plainValues({ values }: HostColumn): PlainValues {
  if (!ArrayBuffer.isView(values)) {
    return values.toArray().map((bytes) => Buffer.from(bytes).toString("base64"));
  }
  return Array.from(values as Iterable<number | bigint>, (value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
