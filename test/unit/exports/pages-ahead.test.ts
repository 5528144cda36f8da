import { expect, test } from "vitest";
import { pagesAhead } from "../../../src/exports/sources/pages-ahead.ts";
import type { Source, SourcePage } from "../../../src/exports/sources/source.ts";

/** A source whose pages 1 to `last` are answered only when the test says so. */
function heldSource(last: number) {
  const asked: unknown[] = [];
  const answers = new Map<number, { answer: () => void; fail: (error: Error) => void }>();
  const source: Source = {
    readPage(position) {
      asked.push(position);
      const number = (position === null ? 0 : Number(position)) + 1;
      return new Promise<SourcePage>((resolve, reject) => {
        answers.set(number, {
          answer: () => resolve({ rows: [{ number }], position: number, isLast: number === last }),
          fail: reject,
        });
      });
    },
  };
  return {
    source,
    asked,
    answer: (n: number) => answers.get(n)?.answer(),
    fail: (n: number, e: Error) => answers.get(n)?.fail(e),
  };
}

/** Lets every promise that can settle now do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("the pages come in order, and the next one is read while the caller has one", async () => {
  const { source, asked, answer } = heldSource(3);
  const pages = pagesAhead(source, null);
  const first = pages.next();
  expect(asked).toEqual([null]);
  answer(1);
  expect((await first).value).toMatchObject({ position: 1, isLast: false });
  expect(asked).toEqual([null, 1]);
  answer(2);
  await settle();
  // One ahead and no more: the memory is bounded by two pages.
  expect(asked).toEqual([null, 1]);
  expect((await pages.next()).value).toMatchObject({ position: 2 });
  answer(3);
  expect((await pages.next()).value).toMatchObject({ position: 3, isLast: true });
  expect(await pages.next()).toEqual({ value: undefined, done: true });
  expect(asked).toEqual([null, 1, 2]);
});

test("an error of a page is thrown after the pages before it", async () => {
  const { source, answer, fail } = heldSource(3);
  const pages = pagesAhead(source, null);
  const first = pages.next();
  answer(1);
  expect((await first).value).toMatchObject({ position: 1 });
  fail(2, new Error("the database is away"));
  await settle();
  await expect(pages.next()).rejects.toThrow("the database is away");
});

test("a caller that stops waits for the page under way and never sees its error", async () => {
  const { source, answer, fail } = heldSource(3);
  let isFree = false;
  const work = (async () => {
    for await (const page of pagesAhead(source, null)) if (page.position === 1) break;
    isFree = true;
  })();
  answer(1);
  await settle();
  expect(isFree).toBe(false);
  fail(2, new Error("cancelled"));
  await work;
  expect(isFree).toBe(true);
});

test("it continues from a position", async () => {
  const { source, asked, answer } = heldSource(3);
  const pages = pagesAhead(source, 2);
  const page = pages.next();
  answer(3);
  expect((await page).value).toMatchObject({ position: 3, isLast: true });
  expect(asked).toEqual([2]);
});
