import { type BenchSet, utf8 } from "./bench-set.js";
import { type ValueKind, writeBytesValue, writeEntry, writeFeature, writeMap } from "./example-fields.js";
import type { Random } from "./random.js";
import type { ReverseWriter } from "./reverse-writer.js";

/** One feature, and a function that writes its value. */
interface TaxiFeature {
  readonly name: string;
  readonly kind: ValueKind;
  /** Share of records without a value. */
  readonly missing: number;
  writeValue(writer: ReverseWriter, random: Random): void;
}

const int64 = (name: string, missing: number, first: number, count: number): TaxiFeature => ({
  name,
  kind: "int64",
  missing,
  writeValue: (writer, random) => writer.varint(first + random.below(count)),
});
const float = (name: string, missing: number, first: number, count: number, scale: number): TaxiFeature => ({
  name,
  kind: "float",
  missing,
  writeValue: (writer, random) => writer.float(first + random.below(count) * scale),
});
const text = (name: string, missing: number, values: readonly string[]): TaxiFeature => {
  const encoded = values.map(utf8);
  return {
    name,
    kind: "bytes",
    missing,
    writeValue: (writer, random) => writeBytesValue(writer, random.pick(encoded)),
  };
};

// The features of the Chicago taxi trips, the public data set that the TFX examples use. For most features, the share of missing
// values is about the same as in that data set.
const features: readonly TaxiFeature[] = [
  int64("pickup_community_area", 0.03, 1, 77),
  float("fare", 0, 3.25, 6000, 0.01),
  int64("trip_start_month", 0, 1, 12),
  int64("trip_start_hour", 0, 0, 24),
  int64("trip_start_day", 0, 1, 7),
  int64("trip_start_timestamp", 0, 1_380_000_000, 90_000_000),
  float("pickup_latitude", 0.02, 41.7, 300_000, 1e-6),
  float("pickup_longitude", 0.02, -87.8, 300_000, 1e-6),
  float("dropoff_latitude", 0.04, 41.7, 300_000, 1e-6),
  float("dropoff_longitude", 0.04, -87.8, 300_000, 1e-6),
  float("trip_miles", 0, 0, 250, 0.1),
  int64("pickup_census_tract", 0.6, 17_031_010_100, 900_000),
  int64("dropoff_census_tract", 0.3, 17_031_010_100, 900_000),
  text("payment_type", 0, ["Cash", "Credit Card", "No Charge", "Dispute", "Unknown"]),
  text("company", 0.35, [
    "Taxi Affiliation Services",
    "Dispatch Taxi Affiliation",
    "Chicago Elite Cab Corp.",
    "Blue Ribbon Taxi Association Inc.",
    "Choice Taxi Association",
    "Northwest Management LLC",
  ]),
  int64("trip_seconds", 0.01, 0, 5000),
  int64("dropoff_community_area", 0.04, 1, 77),
  float("tips", 0, 0, 1000, 0.01),
];
const names = features.map((feature) => utf8(feature.name));

/**
 * tf.Examples with 18 features of all three kinds: bytes, float and int64. Of the missing values, 70 % are absent features, 15 %
 * are features without a kind, and 15 % are empty lists.
 */
export const taxi: BenchSet = {
  name: "taxi",
  payload: "example",
  columns: features.map(({ name, kind }) => ({ name, kind })),
  createRecordWriter: (random) => (writer) =>
    writeMap(writer, 1, () => {
      for (let i = features.length - 1; i >= 0; i--) {
        const feature = features[i] as TaxiFeature;
        const gap = random.unit() < feature.missing ? random.unit() : undefined;
        if (gap !== undefined && gap < 0.7) continue;
        writeEntry(writer, names[i] as Uint8Array, () => {
          if (gap !== undefined && gap < 0.85) return;
          writeFeature(writer, feature.kind, () => {
            if (gap === undefined) feature.writeValue(writer, random);
          });
        });
      }
    }),
};
