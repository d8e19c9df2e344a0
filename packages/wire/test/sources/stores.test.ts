import { describe, expect, test } from "@jest/globals";
import type { ByteStore } from "../../src/sources/byte-store.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { openSources } from "../../src/sources/open-sources.js";
import { failure } from "../sources.js";

const objects: Record<string, number> = { "mem://b/b.bin": 2, "mem://b/a.bin": 1, "mem://c/a.bin": 3 };

/** Creates a store of `objects`. It lists them unsorted, and records the URIs that it opens. */
function memoryStore(overrides: Partial<ByteStore> = {}): ByteStore & { readonly opened: string[] } {
  const opened: string[] = [];
  return {
    schemes: ["mem:"],
    opened,
    async open(uri) {
      opened.push(uri);
      return bytesSource(Uint8Array.of(objects[uri] ?? 0), uri);
    },
    async *list(pattern) {
      const parts = pattern.split("*");
      for (const uri of Object.keys(objects)) {
        if (uri.startsWith(parts[0]!) && uri.endsWith(parts.at(-1) ?? "")) yield { uri };
      }
    },
    ...overrides,
  };
}

describe("stores", () => {
  test("open the URIs of their schemes, in upper and lower case", async () => {
    const stores = [memoryStore()];
    const sources = await openSources(["MEM://c/a.bin", new URL("mem://b/a.bin")], { stores });
    expect(sources.map(({ uri }) => uri)).toEqual(["MEM://c/a.bin", "mem://b/a.bin"]);
    expect(await sources[1]!.slice(0, 1)).toEqual(Uint8Array.of(1));
  });

  test("list the matches of a glob in any order, and openSources sorts them by URI", async () => {
    const stores = [memoryStore()];
    const sources = await openSources(["mem://b/*.bin", "mem://*a.bin"], { stores });
    expect(sources.map(({ uri }) => uri)).toEqual([
      "mem://b/a.bin",
      "mem://b/b.bin",
      "mem://b/a.bin",
      "mem://c/a.bin",
    ]);
    expect(await failure(openSources("mem://none/*", { stores }), "not-found")).toMatchObject({
      reason: "no-match",
      uri: "mem://none/*",
    });
  });

  test("treat an asterisk in a URI as an ordinary character if they cannot list objects", async () => {
    const inner = memoryStore();
    const store: ByteStore = { schemes: inner.schemes, open: (uri) => inner.open(uri) };
    await openSources("mem://b/*", { stores: [store] });
    expect(inner.opened).toEqual(["mem://b/*"]);
  });

  test("take precedence over built-in schemes, and treat a question mark in an http: URL as an ordinary character", async () => {
    const store = memoryStore({ schemes: ["http:", "file:"] });
    await openSources(["http://nowhere.invalid/a?b=[", "file:///no/such/file"], { stores: [store] });
    expect(store.opened).toEqual(["http://nowhere.invalid/a?b=[", "file:///no/such/file"]);
  });

  test("are not remembered for later calls", async () => {
    await openSources("mem://b/a.bin", { stores: [memoryStore()] });
    expect(await failure(openSources("mem://b/a.bin"), "unsupported")).toMatchObject({
      reason: "url-scheme",
    });
  });

  test("receive the signal, and their errors reach the caller unchanged", async () => {
    const controller = new AbortController();
    let heard: AbortSignal | undefined;
    const store = memoryStore({
      open: async (_, options) => {
        heard = options?.signal;
        throw new RangeError("mine");
      },
    });
    const { signal } = controller;
    await expect(openSources("mem://a", { stores: [store], signal })).rejects.toThrow("mine");
    expect(heard).toBe(signal);
  });

  test("are rejected if two of the stores claim the same scheme", async () => {
    const stores = [memoryStore(), memoryStore({ schemes: ["xy:", "mem:"] })];
    const error = await failure(openSources("mem://a", { stores }), "invalid-argument");
    expect(error).toMatchObject({ reason: "duplicate-scheme", argument: "stores" });
    expect(error.message).toContain("Stores 0 and 1 both claim mem:");
  });

  test("are rejected if one of the stores has a scheme twice", async () => {
    const stores = [memoryStore({ schemes: ["mem:", "mem:"] })];
    const error = await failure(openSources("mem://a", { stores }), "invalid-argument");
    expect(error).toMatchObject({ reason: "duplicate-scheme", argument: "stores" });
    expect(error.message).toContain('stores[0].schemes has "mem:" twice.');
  });

  test.each([
    [5],
    [[null]],
    [[{}]],
    [[memoryStore({ schemes: [] })]],
    [[memoryStore({ schemes: ["mem"] })]],
    [[memoryStore({ schemes: ["MEM:"] })]],
    [[memoryStore({ list: true as never })]],
    [[memoryStore({ worker: {} as never })]],
    [[memoryStore({ open: undefined as never })]],
    [[memoryStore({ open: async () => ({}) as never })]],
  ])("are rejected if they are malformed (case %#)", async (stores) => {
    const error = await failure(openSources("mem://a", { stores: stores as never }), "invalid-argument");
    expect(error).toMatchObject({ reason: "store-type", argument: "stores" });
  });

  test("are rejected if they open something other than a source", async () => {
    const store = memoryStore({ open: async () => null as never });
    await expect(openSources("mem://a", { stores: [store] })).rejects.toThrow(
      "The store for mem: URIs must open mem://a as a ByteSource, found null.",
    );
  });
});
