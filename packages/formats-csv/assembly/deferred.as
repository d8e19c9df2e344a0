// Deferred cells, which the host handles after the push. Each is stored as an entry of six words and a copy of its text.
import { allocate, copyText } from "./memory";

export const ENTRY_WORDS: u32 = 6;

export let entries: usize = 0;
export let numEntries: u32 = 0;
export let texts: usize = 0;
let entryCapacity: u32 = 0;
let textEnd: usize = 0;
let textSize: usize = 0;

export function startDeferred(): void {
  numEntries = 0;
  textEnd = 0;
}

/** Adds a cell. False when memory runs out. */
export function defer(
  column: u32,
  row: u32,
  start: usize,
  length: usize,
  recordStart: u32,
  record: u32,
): bool {
  if (numEntries == entryCapacity && !growEntries()) return false;
  if (textEnd + length > textSize && !growTexts(textEnd + length)) return false;
  const entry = entries + <usize>numEntries * ENTRY_WORDS * 4;
  store<u32>(entry, column);
  store<u32>(entry, row, 4);
  store<u32>(entry, <u32>textEnd, 8);
  store<u32>(entry, <u32>length, 12);
  store<u32>(entry, recordStart, 16);
  store<u32>(entry, record, 20);
  copyText(texts + textEnd, start, length);
  textEnd += length;
  numEntries++;
  return true;
}

/** Removes the cells of the record that begins at `recordStart`. */
export function takeBackDeferred(recordStart: u32): void {
  while (numEntries > 0) {
    const entry = entries + <usize>(numEntries - 1) * ENTRY_WORDS * 4;
    if (load<u32>(entry, 16) != recordStart) return;
    textEnd = load<u32>(entry, 8);
    numEntries--;
  }
}

function growEntries(): bool {
  const grown = entryCapacity == 0 ? 64 : entryCapacity * 2;
  const address = allocate(<usize>grown * ENTRY_WORDS * 4);
  if (address == 0) return false;
  memory.copy(address, entries, <usize>numEntries * ENTRY_WORDS * 4);
  entries = address;
  entryCapacity = grown;
  return true;
}

function growTexts(needed: usize): bool {
  const address = allocate(needed * 2);
  if (address == 0) return false;
  memory.copy(address, texts, textEnd);
  texts = address;
  textSize = needed * 2;
  return true;
}
