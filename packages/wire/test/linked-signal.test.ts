import { getEventListeners } from "node:events";
import { describe, expect, jest, test } from "@jest/globals";
import { bytesSource, decompressed } from "../src/index.js";
import { linkSignals } from "../src/linked-signal.js";

describe("linked signals", () => {
  test("abort with the reason of the first signal that aborts, or of the first argument that has already aborted", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(one.signal, undefined, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort("enough");
    one.abort("too late");
    expect(signal.reason).toBe("enough");
    expect(linkSignals(one.signal, other.signal).signal.reason).toBe("too late");
  });

  test("share one listener on a signal until the last link is removed", () => {
    const source = new AbortController();
    const links = Array.from({ length: 30 }, () => linkSignals(source.signal));
    expect(getEventListeners(source.signal, "abort")).toHaveLength(1);
    for (const link of links.slice(1)) link.unlink();
    links[1]?.unlink();
    const again = linkSignals(source.signal);
    expect(getEventListeners(source.signal, "abort")).toHaveLength(1);
    source.abort("enough");
    expect(links.map(({ signal }) => signal.aborted)).toEqual([true, ...Array(29).fill(false)]);
    expect(again.signal.reason).toBe("enough");
    const left = new AbortController();
    linkSignals(left.signal).unlink();
    expect(getEventListeners(left.signal, "abort")).toEqual([]);
  });

  test("let many simultaneous reads follow one signal without a warning about leaks", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { signal } = new AbortController();
    const reads = Array.from({ length: 20 }, () => decompressed(bytesSource(Uint8Array.of(1)), { signal }));
    await Promise.all(reads.map((read) => read.next()));
    await Promise.all(reads.map((read) => read.return()));
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
