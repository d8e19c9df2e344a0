import { ColumnPath, type Feature, FeatureType, type Schema } from "@tfxio/schema";
import type { TableContent } from "./table.js";

/** Returns a schema as a table with one line per feature. Fields of structs are named by their path. */
export function schemaTable(schema: Schema): TableContent {
  return {
    head: ["feature", "type", "values", "presence", "domain"],
    rows: schema.feature.flatMap((feature) => featureRows(feature, [])),
  };
}

/** Returns the row of a feature, followed by the rows of its fields. */
function featureRows(feature: Feature, parents: readonly string[]): string[][] {
  const path = [...parents, feature.name];
  const type = (FeatureType[feature.type] ?? "").replace("TYPE_UNKNOWN", "unknown").toLowerCase();
  const row = [
    new ColumnPath(path).toString(),
    type,
    valuesText(feature),
    presenceText(feature),
    domainText(feature),
  ];
  const fields = feature.domainInfo.case === "structDomain" ? feature.domainInfo.value.feature : [];
  return [row, ...fields.flatMap((field) => featureRows(field, path))];
}

/** Formats the number of values per row: a shape in brackets, a range, or one range for each level of lists. */
function valuesText({ shapeType }: Feature): string {
  switch (shapeType.case) {
    case "shape":
      return `[${shapeType.value.dim.map(({ size }) => size).join(", ")}]`;
    case "valueCount":
      return rangeText(shapeType.value);
    case "valueCounts":
      return shapeType.value.valueCount.map(rangeText).join(" × ");
    default:
      return "any";
  }
}

/** Formats an inclusive range. Without bounds, or with bounds of 0, it is `any`. */
function rangeText({
  min,
  max,
}: {
  readonly min?: bigint | undefined;
  readonly max?: bigint | undefined;
}): string {
  if (!min && !max) return "any";
  if (min !== undefined && min === max) return String(min);
  return `${min ?? 0n} to ${max ?? "any"}`;
}

/** Formats `presence.min_fraction`. A presence without a fraction is `some rows`. */
function presenceText({ presenceConstraints }: Feature): string {
  if (presenceConstraints.case !== "presence") return "any";
  const presence = presenceConstraints.value;
  return presence.minFraction >= 1
    ? "every row"
    : presence.minFraction > 0
      ? `${percent(presence.minFraction)} % of rows`
      : "some rows";
}

/** Returns a fraction in percent, without the rounding error of the multiplication: 0.07 * 100 is 7.000000000000001. */
function percent(fraction: number): number {
  return Number((fraction * 100).toPrecision(12));
}

/** Formats the domain: a name, an inclusive range, the values, or the kind of the domain. */
function domainText({ domainInfo }: Feature): string {
  switch (domainInfo.case) {
    case undefined:
    case "structDomain":
      return "";
    case "domain":
      return domainInfo.value;
    case "intDomain":
    case "floatDomain":
      return `${domainInfo.value.min ?? ""} to ${domainInfo.value.max ?? ""}`;
    case "stringDomain":
      return domainInfo.value.value.join(", ");
    default:
      return domainInfo.case.replace(/Domain$/, "");
  }
}
