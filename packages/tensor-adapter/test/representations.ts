import { parseMessageText, type TensorRepresentation, TensorRepresentationSchema } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { type RowPolicies, TensorAdapter } from "../src/index.js";

/** Parses tensor representations in text format, keyed by tensor name. */
export function representations(texts: Readonly<Record<string, string>>): Map<string, TensorRepresentation> {
  return new Map(
    Object.entries(texts).map(([name, text]) => [name, parseMessageText(TensorRepresentationSchema, text)]),
  );
}

export function adapterFor(
  batch: RecordBatch,
  texts: Readonly<Record<string, string>>,
  policies: RowPolicies = {},
): TensorAdapter {
  const tensorRepresentations = representations(texts);
  return new TensorAdapter({ arrowSchema: batch.schema, tensorRepresentations, ...policies });
}

/** Returns the `TfxioError` that `run` throws. */
export function codedError(run: () => unknown): Record<string, unknown> & Error {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return error as unknown as Record<string, unknown> & Error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
