import { Random } from "@tfxio/wire";
import { NO_BYTE } from "../../src/dialect.js";
import { CellKind, type TablePlan } from "../../src/kernels/csv-kernel.js";

/** A table's plan, the pieces of its input, and the limits of its batches. */
export interface DrawnCsv {
  readonly plan: TablePlan;
  readonly pieces: readonly Uint8Array[];
  readonly maxRows: number;
  readonly maxBytes: number;
}

const utf8 = new TextEncoder();
const PIECES = [
  ",",
  ",",
  ",",
  ";",
  "\n",
  "\n",
  "\r\n",
  "\r",
  '"',
  '"',
  '""',
  '","',
  '"\n',
  "\\",
  "#",
  " ",
  "x",
  "NA",
  "é",
  "12",
  "-7",
  "+0",
  "3.25",
  ".5",
  "1e3",
  "1e-40",
  "9.5e37",
  "1_0",
  "inf",
  "nan",
  "007",
  "-0.0",
  "9223372036854775807",
  "123456789012345678",
  "0.0010812851767145965",
  "16777217.0000000001",
  "33554433",
  "a text of more than sixteen bytes, quoted or not",
];

/**
 * Draws a plan, limits, and a text full of characters that are special in some dialect. Splits the text at random positions.
 */
export function drawCsv(random: Random): DrawnCsv {
  const numColumns = 1 + random.below(4);
  const chance = (oneIn: number): boolean => random.below(oneIn) === 0;
  // Without columns, records may have any number of cells and are only counted.
  const isCount = chance(5);
  const kinds = Array.from({ length: isCount ? 0 : numColumns }, () => random.below(5) as CellKind);
  const parts: string[] = [];
  for (let record = 0; record < 12; record++) {
    if (chance(3))
      for (let part = random.below(8); part > 0; part--) parts.push(PIECES[random.below(PIECES.length)]!);
    else {
      const cells = Array.from({ length: numColumns }, () => drawCell(random));
      parts.push(cells.join(chance(8) ? ";" : ","), chance(4) ? "\r\n" : "\n");
    }
  }
  const bytes = utf8.encode(parts.join(""));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(chance(2) ? 8 : 120);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return {
    plan: {
      dialect: {
        delimiter: utf8.encode(chance(8) ? ";" : ","),
        quote: utf8.encode(chance(8) ? "" : '"'),
        escape: chance(3) ? 0x5c : NO_BYTE,
        comment: chance(3) ? 0x23 : NO_BYTE,
        doubledQuote: !chance(5),
        multiline: !chance(4),
        skipBlankLines: !chance(3),
      },
      nullMarkers: [...(chance(4) ? [] : [""]), ...(chance(3) ? ["NA", "x"] : [])].map((text) =>
        utf8.encode(text),
      ),
      quotedNulls: !chance(3),
      kinds,
      numCells: kinds.length,
      skipsBadRows: !chance(3),
      keepsBounds: chance(2),
      maxRecordBytes: chance(6) ? 40 : 1e6,
    },
    pieces,
    maxRows: 1 + random.below(6),
    maxBytes: chance(3) ? 1 + random.below(60) : 1e6,
  };
}

function drawCell(random: Random): string {
  const text = random.below(5) === 0 ? "" : PIECES[7 + random.below(PIECES.length - 7)]!;
  if (random.below(6) > 0)
    return random.below(2) === 0 ? drawNumber(random) : text.replace(/[",\r\n\\#]/g, "");
  return `"${text.replaceAll('"', '""')}${random.below(3) === 0 ? "\n" : ""}"`;
}

function drawNumber(random: Random): string {
  const digits = (count: number): string => Array.from({ length: count }, () => random.below(10)).join("");
  if (random.below(8) === 0) return drawNearMidpoint(random);
  const sign = ["", "", "-", "+"][random.below(4)]!;
  const whole = digits(random.below(20));
  const fraction = random.below(2) === 0 ? "" : `.${digits(random.below(20))}`;
  const exponent =
    random.below(4) > 0 ? "" : `e${["", "-", "+"][random.below(3)]!}${digits(1 + random.below(2))}`;
  return `${sign}${whole}${fraction}${exponent}`;
}

/** Returns a decimal whose nearest float64 is at or next to the midpoint between two float32 numbers. */
function drawNearMidpoint(random: Random): string {
  const lower = 1 + random.below(2 ** 23) * 2 ** -23;
  const middle = Float64Array.of(lower + 2 ** -24);
  const bits = new BigInt64Array(middle.buffer);
  bits[0] = (bits[0] as bigint) + BigInt(random.below(3) - 1);
  return ((middle[0] as number) * 2 ** (random.below(60) - 30)).toPrecision(17 + random.below(3));
}
