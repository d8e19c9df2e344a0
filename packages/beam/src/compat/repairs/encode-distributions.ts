import type { Repair } from "../repair.js";

/** The object in which the SDK keeps the value of a distribution metric. */
interface DistributionCell {
  count: number;
  sum: number;
  min: number;
  max: number;
  payload(): Uint8Array;
  loadFromPayload(bytes: Uint8Array): void;
}

/**
 * Beam encodes a distribution as four varints: count, sum, minimum and maximum. The SDK writes a list with a length prefix
 * instead, which runners misread. It also expects such a list from runners, so its driver throws on prism. This repair reads and
 * writes the four varints.
 * @see beam `model/pipeline/src/main/proto/.../metrics.proto`, "beam:metrics:distribution_int64:v1"
 */
export const encodeDistributions: Repair = {
  defect: "runners misread distributions, and the driver throws when it reads them",
  apply({ metrics: { MetricsContainer }, protobuf: { Reader, Writer } }) {
    const spec = { metricType: "beam:metric:user:distribution_int64:v1", name: "any" };
    const cell = new MetricsContainer().getMetric("any", undefined, spec).value;
    const prototype = Object.getPrototypeOf(cell) as DistributionCell;
    prototype.payload = function () {
      const writer = new Writer();
      for (const value of [this.count, this.sum, this.min, this.max]) writer.int64(value);
      return writer.finish();
    };
    prototype.loadFromPayload = function (bytes) {
      const reader = new Reader(bytes);
      const next = (): number => Number(reader.int64().toString());
      this.count = next();
      this.sum = next();
      this.min = next();
      this.max = next();
    };
  },
};
