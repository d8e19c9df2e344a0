import { SchemaError } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";

/** Checks that batches have the adapter's schema. Remembers schema objects that passed. */
export class BatchSchema {
  #lastPassed: ArrowSchema;

  constructor(readonly expected: ArrowSchema) {
    this.#lastPassed = expected;
  }

  /** @throws {SchemaError} `schema-mismatch` (`batch-schema`), naming the first column that differs. */
  assertSame(schema: ArrowSchema): void {
    if (schema === this.#lastPassed) return;
    const expected = describe(this.expected);
    const actual = describe(schema);
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      if (expected[index] === actual[index]) continue;
      throw new SchemaError(
        "schema-mismatch",
        `Expected the schema of the adapter: column ${index} is ${actual[index] ?? "missing"} in the batch, ${expected[index] ?? "missing"} in the adapter.`,
        { reason: "batch-schema", expected: expected[index], actual: actual[index] },
      );
    }
    this.#lastPassed = schema;
  }
}

/** Compares names and types. Ignores nullability, dictionary ids and metadata. */
function describe(schema: ArrowSchema): string[] {
  return schema.fields.map(({ name, type }) => `"${name}": ${type}`);
}
