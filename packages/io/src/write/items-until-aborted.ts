import { untilAborted } from "@tfxio/wire";

/**
 * Yields the items of `items` until `signal` aborts. For an async iterable, an abort takes effect even while an item is pending.
 * @throws `signal.reason`. Also throws whatever the iterator throws.
 */
export async function* itemsUntilAborted<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  if (signal === undefined || !(Symbol.asyncIterator in items)) {
    for await (const item of items) {
      signal?.throwIfAborted();
      yield item;
    }
    return;
  }
  const iterator = items[Symbol.asyncIterator]();
  let isWaiting = false;
  let isDone = false;
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await untilAborted(iterator.next(), signal);
      isWaiting = false;
      isDone = done === true;
      if (isDone) return;
      yield value as Item;
    }
  } catch (error) {
    // An iterator that threw is closed already. After an abort, the iterator is still open.
    isDone = !signal.aborted;
    throw error;
  } finally {
    if (!isDone) {
      // A generator handles return() only after its pending item.
      const closed = Promise.resolve(iterator.return?.()).catch(() => {});
      if (!isWaiting) await closed;
    }
  }
}
