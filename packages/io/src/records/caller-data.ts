import { UnsupportedError } from "@tfxio/wire";

/** Kind of data that the caller passes in instead of sources. Other threads and processes cannot read it. */
export type CallerData = "records" | "datasets";

/** @throws {UnsupportedError} `unsupported` (`caller-data`) for the caller's records and datasets, which have no plan. */
export function assertPlannable(data: CallerData | undefined): void {
  if (data === undefined) return;
  throw new UnsupportedError(
    `A TFXIO over the caller's ${data} has no plan, because a plan divides files; read it with recordBatches.`,
    { feature: "plan", reason: "caller-data" },
  );
}

/**
 * @throws {UnsupportedError} `unsupported` (`caller-data`) for a dataset, which produces all of its tensors anyway.
 * @see tfx_bsl `DatasetTFXIO`, which rejects it too
 */
export function assertProjectable(data: CallerData | undefined): void {
  if (data !== "datasets") return;
  throw new UnsupportedError(
    "A TFXIO over a dataset cannot be projected; drop tensors with the dataset's own map.",
    { feature: "project", reason: "caller-data" },
  );
}
