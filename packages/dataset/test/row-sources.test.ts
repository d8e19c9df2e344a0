import { expect, test } from "@jest/globals";
import type { Random } from "@tfxio/wire";
import { type Block, blockOfColumns, blockOfItems, isColumnRows, itemsOf } from "../src/blocks/block.js";
import { RowList } from "../src/operators/order/row-list.js";
import { RowSources } from "../src/operators/order/row-sources.js";
import { dense } from "./host-columns.js";

function numbers(start: number, numRows: number): Block {
  const values = Float32Array.from({ length: numRows }, (_, i) => start + i);
  return blockOfColumns({ numRows, columns: { x: dense(values, [numRows]) } });
}

/** Adds a block to the sources, and pushes references to all its rows onto the list. Returns the number of the block's source. */
function refer(list: RowList, sources: RowSources, block: Block): number {
  const number = sources.add(block);
  for (let row = 0; row < block.numRows; row++) list.push(number, row);
  return number;
}

function drawn(list: RowList, count: number): RowList {
  const out = new RowList();
  const last = { below: (length: number) => length - 1 };
  list.draw(last as Random, out, count);
  return out;
}

const valuesOf = (blocks: readonly Block[]): unknown[] =>
  blocks.flatMap((block) => itemsOf(block).map((item) => (item as { readonly x?: number }).x ?? item));

test("RowSources releases a source when its last row is taken, and reuses its number", () => {
  const sources = new RowSources();
  const list = new RowList();
  const first = refer(list, sources, numbers(0, 3));
  expect(sources.numRetained).toBe(3);
  expect(valuesOf(sources.take(drawn(list, 3)))).toEqual([2, 1, 0]);
  expect(sources.numRetained).toBe(0);
  expect(refer(list, sources, numbers(10, 2))).toBe(first);
});

test("RowSources copies the remaining rows of sources that are mostly drawn, without changing the order", () => {
  const sources = new RowSources();
  const list = new RowList();
  refer(list, sources, numbers(0, 1000));
  sources.take(drawn(list, 990));
  const kept = refer(list, sources, numbers(5000, 20));
  sources.take(drawn(list, 18));
  expect(sources.numRetained).toBe(1020);
  sources.compact(list, 100, kept);
  expect(sources.numRetained).toBe(10 + 20);
  expect(valuesOf(sources.take(list))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5000, 5001]);
});

test("RowSources returns rows of columns as columns, even with items between them", () => {
  const sources = new RowSources();
  const list = new RowList();
  refer(list, sources, numbers(0, 2));
  refer(list, sources, blockOfItems(["a", "b"]));
  refer(list, sources, numbers(2, 1));
  const blocks = sources.take(list);
  expect(blocks.map(({ numRows }) => numRows)).toEqual([2, 2, 1]);
  expect(blocks.map(isColumnRows)).toEqual([true, false, true]);
  expect(valuesOf(blocks)).toEqual([0, 1, "a", "b", 2]);
});

test("RowSources returns rows of large sources in the requested order, whatever the order in which they are read", () => {
  const sources = new RowSources();
  const all = [numbers(0, 150_000), numbers(150_000, 150_000)].map((block) => sources.add(block));
  const list = new RowList();
  const expected = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 300_000);
  for (const id of expected) list.push(all[Math.floor(id / 150_000)] as number, id % 150_000);
  expect(valuesOf(sources.take(list))).toEqual(expected);
});
