/** The book of localized obligations: their life, in order, and no way back. */
import { describe, expect, it } from 'vitest';
import { LocalizedBook } from '../../src/engine/localized.js';

const draft = (componentId: string) => ({
  componentId,
  reason: `${componentId} is withheld.`,
  findings: [],
  scope: { componentIds: [componentId], kinds: ['flight.land'] },
});
const ORIGIN = { responseId: 'r-1', generation: 3 };
const patience = (lifeUs: number, tries = 3) => ({ lifeUs, tries });

describe('the book', () => {
  it('opens obligations under names of their own, with their end in sight', () => {
    const book = new LocalizedBook();
    const one = book.open(draft('leg'), ORIGIN, 1_000, patience(5_000));
    const two = book.open(draft('leg'), ORIGIN, 2_000, patience(5_000));
    expect(one).toMatchObject({ state: 'open', openedUs: 1_000, expiresUs: 6_000, generation: 3 });
    expect(two.id).not.toBe(one.id);
    expect(book.stillOpen().map(({ id }) => id)).toEqual([one.id, two.id]);
  });

  it('tells what is overdue from the very moment on, and only of what is still open', () => {
    const book = new LocalizedBook();
    const one = book.open(draft('leg'), ORIGIN, 0, patience(5_000));
    book.open(draft('down'), ORIGIN, 0, patience(9_000));
    expect(book.overdue(4_999)).toEqual([]);
    expect(book.overdue(5_000).map(({ id }) => id)).toEqual([one.id]);
    book.move(one.id, 'candidate');
    expect(book.overdue(5_000)).toEqual([]);
  });

  it('says of a move whether it was one', () => {
    const book = new LocalizedBook();
    const { id } = book.open(draft('leg'), ORIGIN, 0, patience(5_000));
    expect(book.move(id, 'candidate')?.state).toBe('candidate');
    expect(book.move(id, 'candidate')).toBeUndefined();
    expect(book.move('o-99', 'expired')).toBeUndefined();
    expect(book.move(id, 'discharged')?.state).toBe('discharged');
    expect(book.stillOpen()).toEqual([]);
    expect(book.all()).toHaveLength(1);
  });

  it('knows no way back from an end, and none to it but by a candidate', () => {
    const book = new LocalizedBook();
    const { id } = book.open(draft('leg'), ORIGIN, 0, patience(5_000));
    expect(book.move(id, 'discharged')).toBeUndefined();
    expect(book.failed(id, 'no', 0, patience(5_000))).toBeUndefined();
    book.move(id, 'candidate');
    expect(book.move(id, 'expired')).toBeUndefined();
    book.move(id, 'discharged');
    for (const state of ['open', 'candidate', 'expired', 'abandoned'] as const) {
      expect(book.move(id, state), state).toBeUndefined();
    }
  });

  it('opens again with one try less and its whole time, until there is none left', () => {
    const book = new LocalizedBook();
    const { id } = book.open(draft('leg'), ORIGIN, 0, patience(5_000, 2));
    book.move(id, 'candidate');
    expect(book.failed(id, 'a gust.', 7_000, patience(5_000, 2))).toMatchObject({
      ...{ state: 'open', triesLeft: 1, openedUs: 7_000, expiresUs: 12_000 },
      reason: 'leg is withheld. A candidate failed: a gust.',
    });
    book.move(id, 'candidate');
    expect(book.failed(id, 'rain.', 9_000, patience(5_000, 2))).toMatchObject({
      ...{ state: 'abandoned', triesLeft: 0 },
      reason: 'leg is withheld. All 2 candidates failed, the last because: rain.',
    });
  });
});
