import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { decompressed } from "../../src/compression/compression.js";
import { inflateMembers } from "../../src/compression/gzip-members-browser.js";
import type { DamageReport } from "../../src/compression/zlib-format.js";
import { isTfxioError, RecordError } from "../../src/errors.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { choppedSource, collect, failure } from "../sources.js";

const texts = ["hello ", "", "members ", "x".repeat(700_000)];
const members = Buffer.concat(texts.map((text) => gzipSync(text)));
const whole = texts.join("");

const damaged: DamageReport = (damage, cause) =>
  new RecordError(damage === "truncated" ? "truncated-record" : "corrupt-record", damage, {
    cause,
    reason: damage === "truncated" ? "gzip-truncated" : "gzip",
  });
const inflated = (data: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array, void> =>
  inflateMembers(choppedSource(data, () => size).stream(), damaged);

/** Reads `chunks` to the end. Returns the text, and the code and reason of the error, or "whole" if there is no error. */
async function outcome(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly text: string; readonly end: string }> {
  const parts: Uint8Array[] = [];
  const textOf = (): string => Buffer.concat(parts).toString("latin1");
  try {
    for await (const chunk of chunks) parts.push(chunk.slice());
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return { text: textOf(), end: `${error.code} ${error.reason}` };
  }
  return { text: textOf(), end: "whole" };
}

describe("inflateMembers", () => {
  test.each([1, 2, 7, 1000, 10_000_000])("inflates all members from chunks of size %i", async (size) => {
    expect(Buffer.from(await collect(inflated(members, size))).toString()).toBe(whole);
  });

  test("accepts only zeros after the last member", async () => {
    const zeros = new Uint8Array(600);
    for (const size of [7, 10_000]) {
      expect(await outcome(inflated(Buffer.concat([members, zeros]), size))).toEqual({
        text: whole,
        end: "whole",
      });
      for (const rest of ["garbage", "\x1fgarbage", "\0x"]) {
        const { text, end } = await outcome(inflated(Buffer.concat([members, Buffer.from(rest)]), size));
        expect([text === whole, end]).toEqual([true, "corrupt-record gzip"]);
      }
      const behind = Buffer.concat([members, zeros, members]);
      expect((await outcome(inflated(behind, size))).end).toBe("corrupt-record gzip");
    }
  });

  test("ends with the same result or error as in Node, wherever a file is truncated or has a changed byte", async () => {
    const some = Buffer.concat(["some ", "more members", "of a file"].map((text) => gzipSync(text)));
    const all = "some more membersof a file";
    for (let at = 0; at < some.length; at++) {
      const flipped = Uint8Array.from(some);
      flipped[at]! ^= 0x21;
      for (const data of [some.subarray(0, at), flipped]) {
        const there = await outcome(decompressed(bytesSource(data), { compression: "gzip" }));
        const here = await outcome(inflated(data));
        expect([at, here.end]).toEqual([at, there.end]);
        // The bytes inflated from a flipped byte may be wrong, as in Node.
        if (data !== flipped) expect(all.startsWith(here.text)).toBe(true);
        if (here.end === "whole") expect(here.text).toBe(there.text);
      }
    }
  });

  test("delivers the content of a member with a wrong checksum or length, and then fails", async () => {
    for (const back of [8, 4]) {
      const wrong = Uint8Array.from(gzipSync("two"));
      wrong[wrong.length - back]! ^= 1;
      const data = Buffer.concat([gzipSync("one"), wrong, gzipSync("three")]);
      expect(await outcome(inflated(data))).toEqual({ text: "onetwo", end: "corrupt-record gzip" });
    }
  });

  test("passes on an error from the input, and reports empty input as truncated", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield members.subarray(0, 30);
      throw new RangeError("mine");
    }
    await expect(collect(inflateMembers(failing(), damaged))).rejects.toThrow("mine");
    expect((await failure(collect(inflated(new Uint8Array(0))), "truncated-record")).reason).toBe(
      "gzip-truncated",
    );
  });
});
