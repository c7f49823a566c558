/*
 * Residual obligations and boundaries by their definition, for comparison with the bridge's own.
 *
 *   oracle N   every contract of N obligations whose predecessors have lower numbers, times every
 *              state of each obligation, times what is irreversible, times every question
 *
 * Two bytes a state: the residual set, and the part of it that could be begun now. Then, for
 * each mask of irreversible obligations and each question, two bytes: the answer and a set.
 *
 * States are numbers of base 3: 0 open, 1 satisfied, 2 unknown. A question is an interval a..b of
 * obligations that belong together, and the member f with which the doubt begins. Every `after` is
 * a use: what began has used what it comes after. Masks are none, all and each single one; of 5
 * obligations none and all, and the intervals single ones: the rest would be 30 million questions.
 *
 *   answer 1  go back inside: the set is done again
 *   answer 2  everything begun is done again
 *   answer 3  nothing is done again: it would repeat what is irreversible
 *
 * No checkpoint is known here, nor a predicate of one: a set of obligations may be done again when
 * the world is the same afterwards for everybody who is left out of it. All sets are tried.
 */
#include <stdio.h>
#include <stdlib.h>

#define MOST 5
enum { OPEN, SATISFIED, UNKNOWN };

static int n, state[MOST];
static unsigned after[MOST];

static int begun(int i) { return state[i] != OPEN; }

/* Nobody outside `set` rests on what is in it. */
static int same_for_others(unsigned set) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (!(after[i] >> j & 1)) continue;
      int in_i = set >> i & 1, in_j = set >> j & 1;
      if (begun(i) && !in_i && in_j) return 0;
    }
  return 1;
}

/* Everything that the members of a..b have used from outside is certain. */
static int handed_over(unsigned block) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((block >> i & 1) && begun(i) && (after[i] >> j & 1) && !(block >> j & 1) &&
          state[j] != SATISFIED)
        return 0;
  return 1;
}

static void answer(unsigned irreversible, int a, int b, int f) {
  unsigned block = 0, all = 0, best = 0;
  for (int i = a; i <= b; i++) block |= 1u << i;
  for (int i = 0; i < n; i++)
    if (begun(i)) all |= 1u << i;
  int found = 0;
  for (unsigned set = 0; set < 1u << n; set++) {
    if (set & ~(block & all)) continue;
    /* A doubt covers everything that the block has begun from f on, and each unknown in it. */
    int covers = 1;
    for (int i = a; i <= b; i++)
      if (begun(i) && (i >= f || state[i] == UNKNOWN) && !(set >> i & 1)) covers = 0;
    /* Going back is to a moment: what came after it in the block is done again too. */
    for (int i = a; i <= b; i++)
      for (int j = i + 1; j <= b; j++)
        if ((set >> i & 1) && begun(j) && !(set >> j & 1)) covers = 0;
    if (!covers || (set & irreversible) || !same_for_others(set)) continue;
    if (!found || __builtin_popcount(set) < __builtin_popcount(best)) best = set;
    found = 1;
  }
  if (found && handed_over(block)) putchar(1), putchar((int)best);
  else if (all & irreversible) putchar(3), putchar((int)(all & irreversible));
  else putchar(2), putchar((int)all);
}

static void every_question(unsigned irreversible, int longest) {
  for (int a = 0; a < n; a++)
    for (int b = a; b < n && b < a + longest; b++)
      for (int f = a; f <= b; f++)
        if (begun(f)) answer(irreversible, a, b, f);
}

static void every_state(void) {
  int states = 1;
  for (int i = 0; i < n; i++) states *= 3;
  for (int number = 0; number < states; number++) {
    unsigned residual = 0, ready = 0;
    for (int i = 0, rest = number; i < n; i++, rest /= 3) state[i] = rest % 3;
    for (int i = 0; i < n; i++)
      if (state[i] != SATISFIED) residual |= 1u << i;
    for (int i = 0; i < n; i++)
      if ((residual >> i & 1) && !(after[i] & residual)) ready |= 1u << i;
    putchar((int)residual), putchar((int)ready);
    unsigned all = (1u << n) - 1;
    if (n == MOST) {
      every_question(0, 1);
      every_question(all, 1);
    } else {
      every_question(0, n);
      every_question(all, n);
      for (int i = 0; i < n; i++) every_question(1u << i, n);
    }
  }
}

int main(int argc, char **argv) {
  n = argc == 2 ? atoi(argv[1]) : 0;
  if (n < 1 || n > MOST) {
    fprintf(stderr, "oracle N: 1 to 5 obligations\n");
    return 1;
  }
  for (unsigned graph = 0; graph < 1u << (n * (n - 1) / 2); graph++) {
    int bit = 0;
    for (int i = 0; i < n; i++) {
      after[i] = (graph >> bit) & ((1u << i) - 1);
      bit += i;
    }
    every_state();
  }
  return 0;
}
