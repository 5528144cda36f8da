/** The element at a place that is known to exist. @throws RangeError */
export function nth<Item>(items: ArrayLike<Item>, place: number): Item {
  const item = items[place];
  if (item === undefined) throw new RangeError(`nothing at place ${place} of ${items.length}`);
  return item;
}
