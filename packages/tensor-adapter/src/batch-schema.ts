import { SchemaError } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";

/** Checks that batches have the adapter's schema. Skips the comparison for the schema object that passed last. */
export class BatchSchema {
  #lastPassed: ArrowSchema;

  constructor(readonly expected: ArrowSchema) {
    this.#lastPassed = expected;
  }

  /** Checks a batch's schema. @throws {SchemaError} `schema-mismatch` (`batch-schema`), naming the first column that differs. */
  assertSame(schema: ArrowSchema): void {
    if (schema === this.#lastPassed) return;
    const expected = describe(this.expected);
    const actual = describe(schema);
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      if (expected[index] === actual[index]) continue;
      throw new SchemaError(
        "schema-mismatch",
        `The batch must have the adapter's schema, but column ${index} is ${actual[index] ?? "missing"} in the batch and ${expected[index] ?? "missing"} in the adapter.`,
        { reason: "batch-schema", expected: expected[index], actual: actual[index] },
      );
    }
    this.#lastPassed = schema;
  }
}

/** Returns one string per column, with its name and type. Omits nullability, dictionary ids and metadata, which may differ. */
function describe(schema: ArrowSchema): string[] {
  return schema.fields.map(({ name, type }) => `"${name}": ${type}`);
}
