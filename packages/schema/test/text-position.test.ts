import { fromText } from "@bufbuild/protobuf/txtpb";
import { expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import { SchemaSchema } from "../src/generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { locateTextError } from "../src/text-position.js";

const read = (text: string): unknown => fromText(SchemaSchema, text);

function messageOf(text: string): string | undefined {
  try {
    read(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const feature = (index: number): string =>
  `feature { name: "f${index}" type: INT presence { min_count: 1 } value_count { min: 1 max: ${index} } }\n`;
const features = (count: number): string =>
  Array.from({ length: count }, (_, index) => feature(index)).join("");
const values = (count: number): string =>
  Array.from({ length: count }, (_, index) => `value: "v${index}"`).join("\n");

test.each<[string, (count: number) => string]>([
  ["after many features", (count) => `${features(count)} feature { nam: "x" }`],
  ["in the middle of many features", (count) => `${features(count)} feature { nam: "x" } ${features(count)}`],
  ["after many values", (count) => `string_domain { name: "d" ${values(count)} valu: "x" }`],
  ["in the body of one feature", (count) => `feature { struct_domain { ${features(count)} nam: "x" } }`],
  ["at a repeated field", (count) => `${features(count)} feature { name: "a" name: "b" }`],
  ["at a stray bracket", (count) => `${features(count)} } ${features(count)}`],
  ["in a list", (count) => `${features(count)} feature: [{ name: "a" }, { nam: "b" }]`],
])("locateTextError reads each character fewer than six times on average for an error %s", (_, textOf) => {
  const numReadOf = (text: string): number => {
    let numRead = 0;
    locateTextError(text, (part) => {
      numRead += part.length;
      return read(part);
    });
    return numRead / text.length;
  };
  // For n tokens, a binary search would parse about log2(n) prefixes of the text.
  expect(numReadOf(textOf(2000))).toBeLessThan(6);
});

test("locateTextError finds the last token of the shortest prefix that fails with the same message as the whole text", () => {
  const random = Random.of(11, 0);
  const below = (count: number): number => random.below(count);
  const whole = `generate_legacy_feature_spec: true ${features(4)}
    string_domain { name: "d" value: "a", value: "b"; value: 'c' 'd' }
    feature < name: "s" struct_domain { feature: [{ name: "x" }, { name: "y" domain: "d" }] } >
    sparse_feature { name: "p" index_feature { name: "i" } value_feature { name: "v" } }`;
  const insertions = [
    "{",
    "}",
    "<",
    "]",
    ":",
    "zzz: 1 ",
    'name: "q" ',
    "type: NO ",
    "# ",
    "min: 1x ",
    "[a.b/c.D] { } ",
  ];
  let numChecked = 0;
  for (let round = 0; round < 300; round++) {
    const at = below(whole.length);
    const inserted = below(3) === 0 ? "" : insertions[below(insertions.length)]!;
    const text = whole.slice(0, at) + inserted + whole.slice(at + below(3));
    const message = messageOf(text);
    if (message === undefined || message.includes("end of input") || message.includes("string")) continue;
    let length = 0;
    while (messageOf(text.slice(0, length)) !== message) length++;
    const { line, column } = locateTextError(text, read);
    const linesBefore = text.split("\n").slice(0, line - 1);
    const start = linesBefore.reduce((total, { length: before }) => total + before + 1, column - 1);
    // The token at the reported position contains the last character of the prefix.
    expect({ text, start: text.slice(start, length) }).toEqual({
      text,
      start: expect.stringMatching(/^([\w.+-]+|"[^"]*"?|'[^']*'?|.)$/su),
    });
    numChecked++;
  }
  expect(numChecked).toBeGreaterThan(100);
});
