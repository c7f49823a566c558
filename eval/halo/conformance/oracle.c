/*
 * The dependency closure by its definition, for comparison with the bridge's own.
 *
 *   oracle digraphs N   every digraph on N components times every support set
 *   oracle dags N       every DAG whose prerequisites have lower numbers, times every support set
 *   oracle lists        graphs from standard input, large ones too
 *
 * Writes one byte a case (bit i: component i is retained), or one byte a component for `lists`.
 * A component on a cycle, or with a reference to itself or to nothing, counts as unsupported.
 *
 * Small graphs: the union of all sets of supported components that hold their own prerequisites,
 * found by trying all sets. Large ones: peel what has no prerequisite left (what stays behind rests
 * on a cycle), then walk from everything unsupported to all that rests on it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 6

static void fail(const char *what) {
  fprintf(stderr, "oracle: %s\n", what);
  exit(1);
}

/* Reaches itself along prerequisites: Warshall's transitive closure on bit rows. */
static unsigned on_cycles(const unsigned *prereqs, int n) {
  unsigned reach[SMALL], cyclic = 0;
  memcpy(reach, prereqs, sizeof(unsigned) * (size_t)n);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (reach[i] >> k & 1) reach[i] |= reach[k];
  for (int i = 0; i < n; i++)
    if (reach[i] >> i & 1) cyclic |= 1u << i;
  return cyclic;
}

static unsigned by_definition(const unsigned *prereqs, int n, unsigned usable) {
  unsigned all = 0;
  for (unsigned set = 0; set < 1u << n; set++) {
    if (set & ~usable) continue;
    int closed = 1;
    for (int i = 0; i < n && closed; i++)
      if ((set >> i & 1) && (prereqs[i] & ~set)) closed = 0;
    if (closed) all |= set;
  }
  return all;
}

static void every_support(const unsigned *prereqs, int n) {
  unsigned usable = ~on_cycles(prereqs, n);
  for (unsigned support = 0; support < 1u << n; support++)
    putchar((int)by_definition(prereqs, n, support & usable));
}

/* Bit i * n + j of the graph's number: component i requires component j. */
static void digraphs(int n) {
  unsigned prereqs[SMALL];
  for (uint64_t graph = 0; graph < (uint64_t)1 << (n * n); graph++) {
    for (int i = 0; i < n; i++) prereqs[i] = (unsigned)(graph >> (i * n)) & ((1u << n) - 1);
    every_support(prereqs, n);
  }
}

/* The bits of the graph's number fill the rows 1, 2, ... below the diagonal. */
static void dags(int n) {
  unsigned prereqs[SMALL];
  for (uint64_t graph = 0; graph < (uint64_t)1 << (n * (n - 1) / 2); graph++) {
    int bit = 0;
    for (int i = 0; i < n; i++) {
      prereqs[i] = (unsigned)(graph >> bit) & ((1u << i) - 1);
      bit += i;
    }
    every_support(prereqs, n);
  }
}

static void read_all(void *to, size_t size, size_t count) {
  if (count > 0 && fread(to, size, count, stdin) != count) fail("the input ends early");
}

static void *room(size_t count, size_t size) {
  void *p = calloc(count + 1, size);
  if (p == NULL) fail("out of memory");
  return p;
}

/* n, m; n bytes (bit 0: supported, bit 1: has a dangling reference); m pairs (who, requires). */
static int one_list(void) {
  uint32_t head[2];
  if (fread(head, sizeof *head, 2, stdin) != 2) return 0;
  size_t n = head[0], m = head[1];
  uint8_t *state = room(n, 1), *kept = room(n, 1);
  uint32_t *edges = room(2 * m, sizeof *edges);
  uint32_t *first = room(n + 1, sizeof *first), *dependents = room(m, sizeof *dependents);
  uint32_t *left = room(n, sizeof *left), *queue = room(n, sizeof *queue);
  read_all(state, 1, n);
  read_all(edges, sizeof *edges, 2 * m);
  for (size_t e = 0; e < m; e++) first[edges[2 * e + 1] + 1]++, left[edges[2 * e]]++;
  for (size_t i = 0; i < n; i++) first[i + 1] += first[i];
  uint32_t *next = room(n + 1, sizeof *next);
  memcpy(next, first, (n + 1) * sizeof *next);
  for (size_t e = 0; e < m; e++) dependents[next[edges[2 * e + 1]]++] = edges[2 * e];

  size_t head_at = 0, tail = 0;
  for (size_t i = 0; i < n; i++)
    if (left[i] == 0) queue[tail++] = (uint32_t)i;
  while (head_at < tail) {
    uint32_t i = queue[head_at++];
    kept[i] = 1;
    for (uint32_t e = first[i]; e < first[i + 1]; e++)
      if (--left[dependents[e]] == 0) queue[tail++] = dependents[e];
  }

  head_at = tail = 0;
  uint8_t *gone = room(n, 1);
  for (size_t i = 0; i < n; i++)
    if (state[i] != 1) gone[i] = 1, queue[tail++] = (uint32_t)i;
  while (head_at < tail) {
    uint32_t i = queue[head_at++];
    for (uint32_t e = first[i]; e < first[i + 1]; e++)
      if (!gone[dependents[e]]) gone[dependents[e]] = 1, queue[tail++] = dependents[e];
  }
  for (size_t i = 0; i < n; i++) kept[i] &= !gone[i];
  if (fwrite(kept, 1, n, stdout) != n) fail("cannot write");
  free(state), free(kept), free(edges), free(first), free(dependents);
  free(left), free(queue), free(next), free(gone);
  return 1;
}

int main(int argc, char **argv) {
  int n = argc == 3 ? atoi(argv[2]) : 0;
  if (argc == 3 && (n < 1 || n > SMALL)) fail("1 to 6 components");
  if (argc == 3 && strcmp(argv[1], "digraphs") == 0) digraphs(n);
  else if (argc == 3 && strcmp(argv[1], "dags") == 0) dags(n);
  else if (argc == 2 && strcmp(argv[1], "lists") == 0) while (one_list());
  else fail("digraphs N | dags N | lists");
  return 0;
}
