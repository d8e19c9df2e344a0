import { expect, test } from "@jest/globals";
import {
  bytesSource,
  encodeTfRecord,
  httpSource,
  handedOver,
  itemsOf,
  cancellable,
  linkSignals,
  onAbort,
  openSources,
  slicesOf,
  tailOf,
} from "../src/index.js";

const source = bytesSource(Uint8Array.of(1, 2, 3), "some");
const range = { start: 0, end: 1 };

test.each<[string, () => unknown, string]>([
  [
    "slicesOf with null for a source",
    () => slicesOf(null as never, [range]),
    "source must be a ByteSource, ",
  ],
  [
    "slicesOf with a number for ranges",
    () => slicesOf(source, 5 as never),
    "ranges must be a list of ranges with start and end, found 5",
  ],
  [
    "slicesOf with a range without an end",
    () => slicesOf(source, [{ start: 0 } as never]),
    'ranges[0] must be a range with start and end, found an object with the key "start"',
  ],
  [
    "slicesOf with null for options",
    () => slicesOf(source, [range], null as never),
    "slicesOf: options must be an object, found null",
  ],
  ["tailOf with null for a source", () => tailOf(null as never, 3), "source must be a ByteSource, "],
  [
    "tailOf with null for options",
    () => tailOf(source, 1, null as never),
    "tailOf: options must be an object, found null",
  ],
  [
    "cancellable with null",
    () => cancellable(null as never),
    "cancellable: read must be a function, found null",
  ],
  [
    "cancellable with a function that is not a generator",
    () => cancellable((() => 5) as never),
    "cancellable: read() must be an async iterator with return(), found 5",
  ],
  [
    "handedOver with null",
    () => handedOver(null as never),
    "handedOver: next must be a function, found null",
  ],
  ["itemsOf with null", () => itemsOf(null as never), "itemsOf: open must be a function, found null"],
  [
    "onAbort with null for a signal",
    () => onAbort(null as never, () => {}),
    "onAbort: signal must be an AbortSignal, found null",
  ],
  [
    "onAbort with a number for a follower",
    () => onAbort(new AbortController().signal, 5 as never),
    "onAbort: follower must be a function, found 5",
  ],
  [
    "linkSignals with null",
    () => linkSignals(null as never),
    "sources[0] must be an AbortSignal, found null",
  ],
  ["encodeTfRecord with text", () => encodeTfRecord("" as never), 'payload must be a Uint8Array, found ""'],
  ["openSources with null", () => openSources(null as never), "input[0] must be a path, glob, URL, "],
  [
    "openSources with a number for a store",
    () => openSources("a", { stores: [1 as never] }),
    "stores[0] must be a ByteStore, found 1",
  ],
  [
    "httpSource with a Map of options",
    () => httpSource("http://a", new Map() as never),
    "options must be an object, found a Map",
  ],
])("a call to %s is rejected with an error that names the argument", async (_, run, message) => {
  await expect((async () => run())()).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining(message),
  });
});

test("linkSignals leaves no listener on a signal if a later signal is rejected", () => {
  const { signal } = new AbortController();
  let numListeners = 0;
  signal.addEventListener = () => void numListeners++;
  signal.removeEventListener = () => void numListeners--;
  expect(() => linkSignals(signal, 5 as never)).toThrow("AbortSignal");
  expect(numListeners).toBe(0);
});
