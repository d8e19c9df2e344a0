import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/** A container is reset between bundles, but its cells keep their values, so later bundles count earlier ones again. */
export const resetMetrics: Repair = {
  defect: "counters count earlier bundles again",
  apply({ metrics: { MetricsContainer } }) {
    const { prototype } = MetricsContainer;
    replaceMethod(
      prototype,
      "reset",
      (reset) =>
        function (this: typeof prototype) {
          for (const { value } of this.metrics.values()) value.reset();
          reset.call(this);
        },
    );
  },
};
