import { UnsupportedError } from "@tfxio/wire";

/** Kind of data that the caller passes in instead of sources. Only the calling thread can read such data. */
export type CallerData = "records" | "datasets";

/**
 * @throws {UnsupportedError} `unsupported` (`caller-data`) for the caller's records and datasets, because only files can be
 *   divided into parts.
 */
export function assertPlannable(data: CallerData | undefined): void {
  if (data === undefined) return;
  const over = data === "datasets" ? "a dataset" : "records";
  throw new UnsupportedError(
    `A TFXIO over ${over} has no plan, because only files can be divided; read the data with recordBatches.`,
    { feature: "plan", reason: "caller-data" },
  );
}

/**
 * @throws {UnsupportedError} `unsupported` (`caller-data`) for a dataset, because the dataset produces all of its tensors anyway.
 * @see tfx_bsl `DatasetTFXIO`, which rejects projections too
 */
export function assertProjectable(data: CallerData | undefined): void {
  if (data !== "datasets") return;
  throw new UnsupportedError(
    "A TFXIO over a dataset cannot be projected; call map on the dataset to remove tensors from its elements.",
    { feature: "project", reason: "caller-data" },
  );
}
