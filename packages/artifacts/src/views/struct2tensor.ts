import type { createRecordDecoder } from "@tfxio/struct2tensor";
import type { loadDataView, saveDataView } from "@tfxio/struct2tensor/directory";
import { UnsupportedError } from "@tfxio/wire/errors";

/** The functions of `@tfxio/struct2tensor` that save, load and run DataViews. */
export interface DataViewLibrary {
  readonly createRecordDecoder: typeof createRecordDecoder;
  readonly loadDataView: typeof loadDataView;
  readonly saveDataView: typeof saveDataView;
}

/**
 * Imports `@tfxio/struct2tensor`, an optional peer dependency that only programs with DataViews need.
 * @throws {UnsupportedError} (`data-views`) if it is not installed.
 */
export async function dataViewLibrary(): Promise<DataViewLibrary> {
  try {
    return {
      ...(await import("@tfxio/struct2tensor")),
      ...(await import("@tfxio/struct2tensor/directory")),
    };
  } catch (cause) {
    if (!isNotInstalled(cause)) throw cause;
    throw new UnsupportedError(
      "DataViews need the package @tfxio/struct2tensor, which is not installed: npm install @tfxio/struct2tensor.",
      { feature: "DataViews", reason: "data-views", cause },
    );
  }
}

/** True if the package itself is missing. False if one of its dependencies is missing. */
function isNotInstalled(error: unknown): boolean {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes("package '@tfxio/struct2tensor");
}
