import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * A bundle of several sources waits for one after the other. If a later one fails in the meantime, nobody handles its error yet,
 * and Node ends the process with all of its bundles. Marks the error as handled; the bundle still fails with it.
 */
export const surviveFailedSources: Repair = {
  defect: "a failed source ends the process of its worker",
  apply({ operators: { DataSourceOperator } }) {
    const { prototype } = DataSourceOperator;
    replaceMethod(
      prototype,
      "startBundle",
      (startBundle) =>
        async function (this: typeof prototype) {
          await startBundle.call(this);
          this.endOfData.catch(() => {});
        },
    );
  },
};
