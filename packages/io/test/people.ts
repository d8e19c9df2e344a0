import { encodeExample, type FeatureValues, type PlainRow } from "@tfxio/arrow-encoding";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { range, tfRecordFile } from "./fixtures.js";

/** Schema of {@link people}, whose cells are null, are empty, or have one or several values. */
export const PEOPLE: Schema = parseSchemaText(`
  feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
  feature { name: "age" type: INT }
  feature { name: "country" type: BYTES }
  feature { name: "score" type: FLOAT }
`);

const COUNTRIES = ["DE", "FR", "US"];

/** A row of {@link peopleFile}, as `rows()` must yield it. */
export interface Person extends PlainRow {
  readonly id: readonly number[];
  readonly age: readonly number[] | null;
  readonly country: readonly string[] | null;
  readonly score: readonly (number | string)[] | null;
}

function person(i: number): Person {
  return {
    id: [i],
    age: i % 7 === 0 ? null : i % 7 === 1 ? [] : i % 7 === 2 ? [i % 50, 90] : [i % 50],
    country: i % 5 === 0 ? null : [COUNTRIES[i % 3] as string],
    score: i % 11 === 0 ? ["NaN"] : [i / 4],
  };
}

export const people = (from: number, to: number): Person[] => range(from, to).map(person);

export function encodePerson({ id, age, country, score }: Person): Uint8Array {
  const int64 = (values: readonly number[] | null): FeatureValues | null =>
    values && { kind: "int64", values: [...values] };
  return encodeExample({
    id: int64(id),
    age: int64(age),
    country: country && { kind: "bytes", values: [...country] },
    score: score && { kind: "float", values: score.map(Number) },
  });
}

/** Creates a TFRecord file of rows `from` to `to` (exclusive). */
export const peopleFile = (from: number, to: number): Uint8Array =>
  tfRecordFile(people(from, to).map(encodePerson));
