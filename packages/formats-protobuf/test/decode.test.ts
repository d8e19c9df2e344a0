import { describe, expect, test } from "@jest/globals";
import { decodeRecords } from "@tfxio/format";
import { parseProto, protobufPayload } from "@tfxio/formats-protobuf";
import { parseSchemaText } from "@tfxio/schema";
import { ProtoWriter, WireType } from "@tfxio/wire";
import { batchOf, plainRows, rowsOf } from "./rows.js";
import { message, sampleType, type WireFields } from "./sample.js";

const row = await sampleType();
const node = await sampleType("Node");

/** Encodes a group: a message between a start and an end tag. */
function group(number: number, fields: WireFields): Uint8Array {
  return new ProtoWriter()
    .tag(number, WireType.startGroup)
    .raw(message(fields))
    .tag(number, WireType.endGroup)
    .finish();
}

describe("a singular field that occurs several times", () => {
  const twice = message([
    [
      5,
      [
        [1, 4],
        [2, "a"],
      ],
    ],
    [1, 1],
    [5, [[2, "b"]]],
    [1, 2],
    [5, [[1, 6]]],
  ]);

  test("is merged if it is a message, and keeps its last value if it is a scalar", async () => {
    expect(await rowsOf(row, [twice])).toEqual([{ id: [2n], best: [{ depth: [3n], tag: ["a", "b"] }] }]);
  });

  test("keeps only the last message on request", async () => {
    expect(await rowsOf(row, [twice], { singularMessage: "last" })).toEqual([
      { id: [2n], best: [{ depth: [3n] }] },
    ]);
  });

  test("holds the last of three strings, of which the second is the shortest", async () => {
    const record = message([
      [2, "a long text"],
      [2, "b"],
      [2, "and a longer text than that"],
      [9, "x"],
    ]);
    expect(await rowsOf(row, [record, message([[2, "c"]])])).toEqual([
      { name: ["and a longer text than that"], word: ["x"] },
      { name: ["c"] },
    ]);
  });
});

describe("a path that ends at a message", () => {
  const record = message([[10, [[2, "t"]]]]);

  test("selects all fields of the message", async () => {
    expect(await rowsOf(row, [record], { columns: ["tree"] })).toEqual([{ tree: [{ tag: ["t"] }] }]);
  });

  test("selects only the presence of the message on request; its fields then need paths of their own", async () => {
    const presence = { messagePaths: "presence" } as const;
    expect(await rowsOf(row, [record], { columns: ["tree"], ...presence })).toEqual([{ tree: [{}] }]);
    expect(await rowsOf(row, [record], { columns: ["tree", "tree.tag"], ...presence })).toEqual([
      { tree: [{ tag: ["t"] }] },
    ]);
  });
});

describe("a oneof", () => {
  const records = [
    message([
      [8, 1],
      [9, "w"],
    ]),
    message([
      [10, [[2, "t"]]],
      [8, 2],
    ]),
    message([
      [8, 3],
      [10, [[2, "u"]]],
      [10, [[1, 2]]],
    ]),
    message([
      [10, [[2, "v"]]],
      [9, "x"],
      [10, []],
    ]),
  ];

  test("keeps only the member that comes last on the wire", async () => {
    expect(await rowsOf(row, records)).toEqual([
      { word: ["w"] },
      { number: [2] },
      { tree: [{ depth: [1n], tag: ["u"] }] },
      { tree: [{}] },
    ]);
  });

  test("is cleared by members that are not requested", async () => {
    expect(await rowsOf(row, records, { columns: ["number", "tree.tag"] })).toEqual([
      {},
      { number: [2] },
      { tree: [{ tag: ["u"] }] },
      { tree: [{}] },
    ]);
  });

  test('keeps all members with `oneof: "independent"`', async () => {
    expect(await rowsOf(row, records.slice(0, 1), { oneof: "independent" })).toEqual([
      { number: [1], word: ["w"] },
    ]);
  });
});

describe("a map", () => {
  const record = message([
    [
      6,
      [
        [1, "a"],
        [2, 1],
      ],
    ],
    [
      6,
      [
        [2, 2],
        [1, "b"],
      ],
    ],
    [
      6,
      [
        [1, "a"],
        [2, 3],
      ],
    ],
    [6, [[1, "c"]]],
    [6, [[2, 9]]],
    [
      7,
      [
        [1, 5],
        [2, [[2, "x"]]],
        [2, [[1, 2]]],
      ],
    ],
    [7, [[1, -5]]],
  ]);

  test("is read as its entries in wire order, with defaults for missing keys and values", async () => {
    expect(await rowsOf(row, [record])).toEqual([
      {
        count: [
          { key: ["a"], value: [1] },
          { key: ["b"], value: [2] },
          { key: ["a"], value: [3] },
          { key: ["c"], value: [0] },
          { key: [""], value: [9] },
        ],
        by_id: [
          { key: [5n], value: [{ depth: [1n], tag: ["x"] }] },
          { key: [-5n], value: [{}] },
        ],
      },
    ]);
  });

  test("can be read as columns by key, with the last entry of each key", async () => {
    const columns = ["count[a]", "count[c]", "count[]", "count[none]", "by_id[5].tag", "by_id[-5]"];
    expect(await rowsOf(row, [message([]), record], { columns })).toEqual([
      {},
      {
        "count[a]": [3],
        "count[c]": [0],
        "count[]": [9],
        "by_id[5]": [{ tag: ["x"] }],
        "by_id[-5]": [{}],
      },
    ]);
  });

  test("can be read both as entries and as columns by key", async () => {
    const both = await rowsOf(row, [record], { columns: ["count", "count[b]"] });
    expect(both).toMatchObject([{ "count[b]": [2], count: [{ key: ["a"] }, {}, {}, {}, {}] }]);
  });

  test.each(["by_id[x]", "by_id[9223372036854775808]", "by_id[ 1]"])(
    "rejects the column %s, whose key is invalid",
    async (column) => {
      await expect(rowsOf(row, [], { columns: [column] })).rejects.toMatchObject({
        code: "invalid-argument",
        reason: "map-key",
      });
    },
  );
});

test.each([
  ["map keys are the same number", ["by_id[1]", "by_id[01]"]],
  ["paths name the same extension", ["(sample.more)", "(x/sample.more)"]],
])("two columns are rejected if their %s", async (_same, columns) => {
  await expect(rowsOf(row, [], { columns })).rejects.toMatchObject({ reason: "duplicate-path" });
});

describe("an Any", () => {
  const text = `
    syntax = "proto3"; package box;
    import "google/protobuf/any.proto";
    message Note { string text = 1; google.protobuf.Any more = 2; }
    message Box { google.protobuf.Any any = 1; repeated google.protobuf.Any all = 2; }
  `;
  const url = "example.org/box.Note";
  const columns = ["any.(box.Note).text", "any.(box.Note).more.(box.Note).text"];

  test("is cast to the type after the slash of its URL, even if its value comes first", async () => {
    const type = await parseProto(text, "box.Box");
    const inner = message([
      [1, "in"],
      [
        2,
        [
          [2, message([[1, "deep"]])],
          [1, url],
        ],
      ],
    ]);
    const records = [
      message([
        [
          1,
          [
            [2, inner],
            [1, url],
          ],
        ],
      ]),
      message([
        [
          1,
          [
            [1, "box.Note"],
            [2, inner],
          ],
        ],
      ]),
      message([
        [
          1,
          [
            [1, "x/other.Type"],
            [2, new Uint8Array([255])],
          ],
        ],
      ]),
      message([[1, [[1, url]]]]),
    ];
    expect(await rowsOf(type, records, { columns })).toEqual([
      { any: [{ "(box.Note)": [{ text: ["in"], more: [{ "(box.Note)": [{ text: ["deep"] }] }] }] }] },
      { any: [{}] },
      { any: [{}] },
      { any: [{ "(box.Note)": [{}] }] },
    ]);
  });

  test("may occur in several parts; its last type and its last value are used", async () => {
    const type = await parseProto(text, "box.Box");
    const record = message([
      [
        1,
        [
          [1, "x/other.Type"],
          [2, message([[1, "old"]])],
        ],
      ],
      [1, [[1, url]]],
      [1, [[2, message([[1, "new"]])]]],
    ]);
    expect(await rowsOf(type, [record], { columns: columns.slice(0, 1) })).toEqual([
      { any: [{ "(box.Note)": [{ text: ["new"] }] }] },
    ]);
  });

  test("in a list is cast, unless the Any is empty", async () => {
    const type = await parseProto(text, "box.Box");
    const record = message([
      [
        2,
        [
          [1, url],
          [2, message([[1, "a"]])],
        ],
      ],
      [2, []],
      [
        2,
        [
          [1, url],
          [2, message([[1, "b"]])],
        ],
      ],
    ]);
    const wanted = {
      all: [
        { type_url: [url], "(box.Note)": [{ text: ["a"] }] },
        {},
        { type_url: [url], "(box.Note)": [{ text: ["b"] }] },
      ],
    };
    const asked = { columns: ["all.(box.Note)", "all.type_url"] };
    expect(await rowsOf(type, [record, record], asked)).toEqual([wanted, wanted]);
  });
});

test("an item of a MessageSet is read as the extension with its type id", async () => {
  const type = await parseProto(
    `syntax = "proto2"; package set;
     message Set { option message_set_wire_format = true; extensions 4 to max; }
     message Item { extend Set { optional Item item = 77; } optional string text = 1; }
     message Box { optional Set set = 1; }`,
    "set.Box",
  );
  const body = new Uint8Array(message([[1, "hi"]]));
  const items = [
    group(1, [
      [2, 77],
      [3, body],
    ]),
    group(1, [
      [3, message([[1, "late"]])],
      [2, 78],
    ]),
  ];
  const record = message([[1, Uint8Array.from(items.flatMap((item) => [...item]))]]);
  expect(await rowsOf(type, [record], { columns: ["set.(set.Item.item).text"] })).toEqual([
    { set: [{ "(set.Item.item)": [{ text: ["hi"] }] }] },
  ]);
});

test("groups are read as messages, and extensions as fields", async () => {
  const record = Uint8Array.from([
    ...group(11, [[1, 1]]),
    ...group(99, [
      [1, 1],
      [2, "unknown"],
    ]),
    ...group(11, []),
    ...message([
      [100, [[1, 2]]],
      [101, 7],
      [101, 8],
    ]),
  ]);
  expect(await rowsOf(row, [record], { columns: ["(sample.more)", "line", "(sample.extra).depth"] })).toEqual(
    [{ line: [{ on: [1] }, {}], "(sample.more)": [7, 8], "(sample.extra)": [{ depth: [1n] }] }],
  );
});

test("implicit defaults appear only in existing messages, and never for fields with presence", async () => {
  const type = await parseProto(
    `syntax = "proto3"; message M { string s = 1; optional int32 o = 2; double d = 3; M m = 4; repeated int32 r = 5;
     oneof x { bool b = 6; } }`,
    "M",
  );
  const columns = ["s", "o", "d", "m.s", "m.d", "r", "b"];
  const records = [
    message([]),
    message([
      [4, []],
      [1, "x"],
    ]),
    message([[4, [[1, "y"]]]]),
  ];
  expect(await rowsOf(type, records, { columns, implicitDefaults: true })).toEqual([
    { s: [""], d: [0] },
    { s: ["x"], d: [0], m: [{ s: [""], d: [0] }] },
    { s: [""], d: [0], m: [{ s: ["y"], d: [0] }] },
  ]);
});

describe("requested columns", () => {
  test("can be all fields of a message, as in leaf.*", async () => {
    const batch = await batchOf(row, [], { columns: ["id", "leaf.*"] });
    expect(batch.schema.toString()).toBe(
      (await batchOf(row, [], { columns: ["leaf", "id"] })).schema.toString(),
    );
  });

  test.each([
    [["le*"], "column-path"],
    [["*.tag"], "column-path"],
    [["leaf.*", "leaf.tag"], "duplicate-path"],
    [["leaf.tag", "leaf.*"], "duplicate-path"],
  ])("such as %j are rejected", async (columns, reason) => {
    await expect(rowsOf(row, [], { columns })).rejects.toMatchObject({ code: "invalid-argument", reason });
  });

  test.each([["id.x"], ["city"], ["(sample.none)"], ["leaf.(sample.extra)"], ["id[1]"]])(
    "such as %s are rejected as unknown",
    async (column) => {
      await expect(rowsOf(row, [], { columns: [column] })).rejects.toMatchObject({
        code: "schema-mismatch",
        reason: "unknown-column",
        columnPath: column,
      });
    },
  );

  test("cannot default to all fields of a recursive type, unless maxRecursion limits the depth", async () => {
    const record = message([
      [1, 1],
      [
        2,
        [
          [1, 2],
          [2, [[1, 3]]],
        ],
      ],
    ]);
    await expect(rowsOf(node, [record])).rejects.toMatchObject({ reason: "recursive-type" });
    expect(await rowsOf(node, [record], { maxRecursion: 1 })).toEqual([
      { value: [1], kid: [{ value: [2] }] },
    ]);
  });
});

describe("a schema", () => {
  const records = [
    message([
      [1, 1],
      [4, [[2, "t"]]],
      [
        6,
        [
          [1, "k"],
          [2, 2],
        ],
      ],
    ]),
  ];
  const decode = async (text: string, unlisted?: "drop" | "error") => {
    const schema = parseSchemaText(text);
    const decoder = await decodeRecords(protobufPayload(row), { schema, unlisted });
    return plainRows(decoder.decode(records).batch);
  };

  test("chooses and orders columns, including map keys", async () => {
    const text = `
      feature { name: "count[k]" type: INT }
      feature { name: "leaf" type: STRUCT struct_domain { feature { name: "tag" type: BYTES } } }`;
    expect(await decode(text)).toEqual([{ "count[k]": [2], leaf: [{ tag: ["t"] }] }]);
  });

  test.each([
    ['feature { name: "id" type: FLOAT }', "drop", "wrong-kind"],
    ['feature { name: "none" type: INT }', "drop", "unknown-column"],
    ['feature { name: "id" type: INT }', "error", "unlisted-feature"],
  ] as const)(
    'is rejected if it does not match the message type, or if it omits a field and `unlisted` is "error": %s',
    async (text, unlisted, reason) => {
      await expect(decode(text, unlisted)).rejects.toMatchObject({ code: "schema-mismatch", reason });
    },
  );
});

describe("a malformed record", () => {
  const good = message([
    [1, 1],
    [4, [[2, "t"]]],
  ]);
  const bad = Uint8Array.from([
    ...message([
      [1, 9],
      [4, [[2, "lost"]]],
    ]),
    0x22,
    0x05,
    0x12,
  ]);

  test("is reported with its type, index and byte offset", async () => {
    const error: unknown = await rowsOf(row, [good, bad]).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "malformed-payload",
      reason: "truncated",
      recordIndex: 1,
      byteOffset: 10,
    });
    expect(String(error)).toContain("sample.Row");
  });

  test("is reported if it ends a group that it has not started", async () => {
    await expect(rowsOf(row, [Uint8Array.of(0x0c)])).rejects.toMatchObject({
      reason: "group",
      message: expect.stringContaining("found an end tag without a matching start tag."),
    });
  });

  test("can be skipped without a trace in the batch", async () => {
    expect(await rowsOf(row, [good, bad, good], { onMalformed: "skip" })).toEqual(
      await rowsOf(row, [good, good]),
    );
  });

  test("becomes a row of nulls on request", async () => {
    const [first] = await rowsOf(row, [good]);
    expect(await rowsOf(row, [good, bad, good], { onMalformed: "null" })).toEqual([first, {}, first]);
  });

  test("is counted if it is skipped or becomes a row of nulls", async () => {
    for (const onMalformed of ["skip", "null"] as const) {
      const decoder = await decodeRecords(protobufPayload({ ...row, onMalformed }));
      expect(decoder.decode([good, bad, bad]).numSkipped).toBe(2);
    }
  });

  test("is rejected even if its only fault is more than 100 nested groups", async () => {
    const groups = (depth: number): Uint8Array =>
      Uint8Array.from([...Array<number>(depth).fill(0x0b), ...Array<number>(depth).fill(0x0c)]);
    expect(await rowsOf(node, [groups(100)], { columns: ["value"] })).toEqual([{}]);
    await expect(rowsOf(node, [groups(101)], { columns: ["value"] })).rejects.toMatchObject({
      reason: "depth",
    });
  });

  test("is not reported if the damage is in a message that is not requested", async () => {
    const record = message([
      [1, 1],
      [5, Uint8Array.of(0xff)],
    ]);
    expect(await rowsOf(row, [record], { columns: ["id"] })).toEqual([{ id: [1n] }]);
    await expect(rowsOf(row, [record], { columns: ["best.tag"] })).rejects.toMatchObject({
      reason: "truncated",
      code: "malformed-payload",
    });
  });
});

test("raw records become a column with a given name, which no other column may have", async () => {
  const record = message([[1, 1]]);
  const decoder = await decodeRecords(protobufPayload(row), { columns: [], rawRecordColumn: "raw" });
  const { batch } = decoder.decode([record]);
  expect(plainRows(batch)).toEqual([{ raw: [Buffer.from(record).toString("latin1")] }]);
  await expect(decodeRecords(protobufPayload(row), { rawRecordColumn: "id" })).rejects.toMatchObject({
    reason: "raw-column-collision",
  });
});
