/**
 * The items that `next` gives until it gives undefined. Nothing here holds an item once it is out, whereas a generator keeps its
 * variables alive while it waits: those of a record batch, until the next one has been read.
 */
export function handedOver<Item>(
  next: () => Promise<Item | undefined>,
  close: () => Promise<void> = async () => {},
): AsyncIterableIterator<Item, void, undefined> {
  let isOver = false;
  const end = async (): Promise<IteratorReturnResult<void>> => {
    if (!isOver) {
      isOver = true;
      await close();
    }
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (isOver) return end();
      try {
        const value = await next();
        return value === undefined ? await end() : { done: false, value };
      } catch (error) {
        await end();
        throw error;
      }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
