// node two-copies.mjs: passes messages between the copy of @bufbuild/protobuf in our bundle and the copy from npm.
import assert from "node:assert/strict";
import { clone, create, createRegistry, equals, fromBinary, isFieldSet, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import {
  createMessage,
  encodeSchema,
  FeatureSchema,
  FeatureType,
  formatSchemaText,
  inferTensorRepresentationsFromSchema,
  parseSchemaText,
  SchemaSchema,
} from "@tfxio/schema";

const init = {
  feature: [{ name: "a", type: FeatureType.INT, shapeType: { case: "valueCount", value: { min: 1n } } }],
};
const theirs = create(SchemaSchema, init);
const ours = createMessage(SchemaSchema, init);
assert(equals(SchemaSchema, theirs, ours));
assert(equals(SchemaSchema, clone(SchemaSchema, ours), theirs));
assert.deepEqual(encodeSchema(theirs), toBinary(SchemaSchema, ours));
assert(
  equals(
    SchemaSchema,
    fromBinary(SchemaSchema, encodeSchema(ours)),
    parseSchemaText(formatSchemaText(theirs)),
  ),
);
assert(isFieldSet(ours.feature[0], FeatureSchema.field.type));
assert(!isFieldSet(ours.feature[0], FeatureSchema.field.deprecated));
assert.deepEqual([...inferTensorRepresentationsFromSchema(theirs).keys()], ["a"]);

const registry = createRegistry(StringValueSchema);
const text =
  'annotation { extra_metadata { [type.googleapis.com/google.protobuf.StringValue] { value: "b" } } }';
const annotated = parseSchemaText(text, { registry });
assert(formatSchemaText(annotated, { registry }).includes('value: "b"'));
