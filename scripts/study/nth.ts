/** The element at an index that is known to exist. @throws RangeError */
export function nth<Item>(items: ArrayLike<Item>, index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no element at index ${index} of ${items.length}`);
  return item;
}
