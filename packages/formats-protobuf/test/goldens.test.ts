import { describe, expect, test } from "@jest/globals";
import path from "node:path";
import { decodeRecords } from "@tfxio/format";
import { protobufPayload } from "@tfxio/formats-protobuf";
import { rowNotation, schemaNotation } from "./notation.js";
import { casesOf, columnsOf, recordsOf, typeOf, type VectorCase, vectorFiles } from "./vector-cases.js";

// Random messages, and what Google's python protobuf reads of them; its README tells how they were made.
const folder = path.resolve(import.meta.dirname, "../../../../shared/goldens/protobuf");
const files = vectorFiles(folder);

/** Reasons of `malformed-payload` for the codes of the cases. */
const REASONS: Readonly<Record<string, string>> = {
  TRUNCATED: "truncated",
  BAD_VARINT: "varint",
  BAD_TAG: "tag",
  BAD_WIRE_TYPE: "wire-type",
  GROUP_MISMATCH: "group",
};

async function decode(file: string, vector: VectorCase) {
  const decoder = await decodeRecords(protobufPayload(typeOf(file, vector)), { columns: columnsOf(vector) });
  return decoder.decode(recordsOf(vector)).batch;
}

for (const file of files) {
  describe(path.basename(file), () => {
    for (const vector of casesOf(file)) {
      const { error, schema, rows } = vector.expect;
      if (error === undefined) {
        test(`gives the rows of python protobuf: ${vector.id}`, async () => {
          const batch = await decode(file, vector);
          expect(schemaNotation(batch.schema)).toEqual(schema);
          expect(rowNotation(batch)).toEqual(rows);
        });
      } else {
        test(`refuses what python protobuf refuses: ${vector.id}`, async () => {
          await expect(decode(file, vector)).rejects.toMatchObject({
            code: "malformed-payload",
            reason: REASONS[error.code],
            recordIndex: error.record,
          });
        });
      }
    }
  });
}

test("finds the goldens, or there are none here", () => {
  expect([0, 9]).toContain(files.length);
});
