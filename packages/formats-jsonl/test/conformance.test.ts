import { describe, expect, test } from "@jest/globals";
import { formatChecks } from "@tfxio/format/testkit";
import { jsonl } from "@tfxio/formats-jsonl";
import { bytes as bytesFeature, defineSchema, float, int } from "@tfxio/schema";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const rows = [
  { id: 1n, score: 0.5, name: "Ada", ok: true, tags: ["x", "y"], at: { lat: 52.5, place: "é" } },
  { id: -2n, score: 1.5, name: "", ok: false, tags: [], at: { lat: -1.25, place: "p" } },
  { id: 9007199254740993n, score: 2.5, name: '"\\\n\u{1f389}', ok: true, tags: ["z"], at: { lat: 0.5 } },
  { score: 4.5, name: "last", tags: ["", "q"] },
];
const lines = [
  '{"id":1,"score":0.5,"name":"Ada","ok":true,"tags":["x","y"],"at":{"lat":52.5,"place":"é"}}',
  ' { "id" : -2 , "score" : 1.5 , "name" : "" , "ok" : false , "tags" : [ ] , "at" : { "lat" : -1.25, "place":"p" } } \r',
  '{"score":2.5,"id":9007199254740993,"name":"\\"\\\\\\n\\ud83c\\udf89","ok":true,"tags":["z"],"at":{"lat":0.5}}',
  '{"score":4.5,"name":"last","tags":["","q"],"at":null}',
];

describe("JSON without a schema passes the check", () => {
  const checks = formatChecks(jsonl, {
    fixtures: [
      { name: "lines", sources: [bytes(`${lines.join("\n")}\n`)], rows },
      {
        name: "lines after a byte order mark, the last without a line end",
        sources: [bytes(`\ufeff${lines.join("\n")}`)],
        rows,
      },
      {
        name: "two files",
        sources: [bytes(lines.slice(0, 2).join("\n")), bytes(lines.slice(2).join("\n"))],
        rows,
      },
      { name: "an array", sources: [bytes(`\n [ ${lines.join("\n ,")}\n]\n`)], rows },
      {
        name: "an array with the layout option",
        sources: [bytes(`[${lines.join(",")}]`)],
        rows,
        options: { layout: "array" },
        writeOptions: { layout: "array" },
      },
      { name: "a truncated line", sources: [bytes('{"a":1}\n{"a":')], error: { code: "malformed-payload" } },
      {
        name: "a truncated array",
        sources: [bytes('[{"a":1},{"a":2}')],
        error: { code: "truncated-record" },
      },
      {
        name: "a list instead of an object",
        sources: [bytes("{}\n[1]\n")],
        error: { code: "malformed-payload" },
      },
    ],
  });
  test.each(checks)("$name", async ({ run }) => {
    expect(await run()).toBeUndefined();
  });
});

describe("JSON with a schema passes the check", () => {
  const schema = defineSchema({
    features: {
      id: int(),
      score: float(),
      name: bytesFeature(),
      tags: bytesFeature(),
    },
  });
  const listed = [
    { id: [1n], score: [0.5], name: ["Ada"], tags: ["x", "y"] },
    { id: [-2n], score: [1.5], name: [""], tags: [] },
    { id: [9007199254740993n], score: [2.5], name: ['"\\\n\u{1f389}'], tags: ["z"] },
    { score: [4.5], name: ["last"], tags: ["", "q"] },
  ];
  const checks = formatChecks(jsonl, {
    fixtures: [{ name: "lines", sources: [bytes(lines.join("\n"))], rows: listed, schema }],
  });
  test.each(checks)("$name", async ({ run }) => {
    expect(await run()).toBeUndefined();
  });
});
