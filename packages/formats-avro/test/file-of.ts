const utf8 = new TextEncoder();

/** Creates an object container file without a library. Its only block contains `block` and declares `numRows` rows. */
export function fileOf(schema: unknown, block: Uint8Array | readonly number[], numRows = 1): Uint8Array {
  const varint = (value: number): number[] => {
    const bytes: number[] = [];
    let rest = value * 2;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
    return [...bytes, rest];
  };
  const text = (value: string): number[] => [...varint(value.length), ...utf8.encode(value)];
  const sync = Array.from({ length: 16 }, (_, index) => index + 200);
  const header = [
    0x4f,
    0x62,
    0x6a,
    1,
    2,
    ...text("avro.schema"),
    ...text(JSON.stringify(schema)),
    0,
    ...sync,
  ];
  return Uint8Array.from([...header, ...varint(numRows), ...varint(block.length), ...block, ...sync]);
}
