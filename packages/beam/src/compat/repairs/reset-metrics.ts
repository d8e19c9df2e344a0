import type { Repair } from "../repair.js";
import { replaceMethod } from "../replace-method.js";

/**
 * The SDK resets a metrics container between bundles, but not the values in it, so each bundle counts earlier ones again. This
 * repair resets the values too.
 */
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
