import { UnsupportedError } from "@tfxio/wire";

/** Data that the caller brings instead of sources. Other threads and processes cannot read it. */
export type CallerData = "records" | "datasets";

/** @throws {UnsupportedError} `unsupported` (`caller-data`) for data that has no plan. */
export function assertPlannable(data: CallerData | undefined): void {
  if (data === undefined) return;
  throw new UnsupportedError(
    `A TFXIO over ${data} of the caller has no plan, since a plan divides files; read it with recordBatches.`,
    { feature: "plan", reason: "caller-data" },
  );
}

/**
 * @throws {UnsupportedError} `unsupported` (`caller-data`) for a dataset, which makes all of its tensors anyway.
 * @see tfx_bsl `DatasetTFXIO`, which refuses it too
 */
export function assertProjectable(data: CallerData | undefined): void {
  if (data !== "datasets") return;
  throw new UnsupportedError(
    "A TFXIO over a dataset cannot be projected; leave tensors out with the dataset's own map.",
    { feature: "project", reason: "caller-data" },
  );
}
