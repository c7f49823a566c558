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
 * By the definition: the union of all sets of supported components that hold their own
 * prerequisites. Up to six components all sets are tried. In larger graphs the smallest such set
 * that holds a component is what the component reaches: it is walked, and the component is
 * retained when all of it is usable. Where that would take too long (it is quadratic), and beside
 * it as a check of this program itself, the walk keeps what it has found out about a component.
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

/* The prerequisites of i are to[first[i]] to to[first[i + 1] - 1]. */
struct graph {
  uint32_t n;
  uint8_t *usable;
  uint32_t *first, *to;
};

/* Walks all that `from` reaches, itself included. Does it come back to where it began? */
static int comes_back(const struct graph *g, uint32_t from, uint32_t *seen, uint32_t *reached,
                      uint32_t *count) {
  int back = 0;
  *count = 1;
  reached[0] = from, seen[from] = from + 1;
  for (uint32_t k = 0; k < *count; k++)
    for (uint32_t e = g->first[reached[k]]; e < g->first[reached[k] + 1]; e++) {
      uint32_t next = g->to[e];
      if (next == from) back = 1;
      if (seen[next] == from + 1) continue;
      seen[next] = from + 1;
      reached[(*count)++] = next;
    }
  return back;
}

/* The union of the smallest closed sets: each is walked whole, and has to be usable throughout. */
static void by_closed_sets(const struct graph *g, uint8_t *kept, uint32_t *seen, uint32_t *reached) {
  uint32_t count;
  uint8_t *cyclic = room(g->n, 1);
  for (uint32_t i = 0; i < g->n; i++) cyclic[i] = comes_back(g, i, seen, reached, &count) != 0;
  memset(seen, 0, g->n * sizeof *seen);
  for (uint32_t i = 0; i < g->n; i++) {
    comes_back(g, i, seen, reached, &count);
    kept[i] = 1;
    for (uint32_t k = 0; k < count; k++)
      if (!g->usable[reached[k]] || cyclic[reached[k]]) kept[i] = 0;
  }
  free(cyclic);
}

enum { NEW, OPEN, STANDS, FALLS };

/* The same by depth, each component once. What is met while it is open lies on a cycle. */
static void by_depth(const struct graph *g, uint8_t *state, uint32_t *path, uint32_t *edge) {
  for (uint32_t root = 0; root < g->n; root++) {
    if (state[root] != NEW) continue;
    uint32_t depth = 1;
    path[0] = root, state[root] = OPEN, edge[root] = g->first[root];
    uint8_t falls = 0;
    while (depth > 0) {
      uint32_t i = path[depth - 1];
      if (!g->usable[i]) falls = 1;
      if (!falls && edge[i] < g->first[i + 1]) {
        uint32_t next = g->to[edge[i]++];
        if (state[next] == NEW) {
          path[depth++] = next, state[next] = OPEN, edge[next] = g->first[next];
        } else if (state[next] != STANDS) {
          falls = 1;
        }
        continue;
      }
      /* One that falls takes along all that wait for it on the path. */
      state[i] = falls ? FALLS : STANDS;
      depth--;
    }
  }
}

#define WALKED_WHOLE 20000

static void retained(const struct graph *g, uint8_t *kept) {
  uint8_t *state = room(g->n, 1);
  uint32_t *seen = room(g->n, sizeof *seen), *reached = room(g->n, sizeof *reached);
  by_depth(g, state, reached, seen);
  if (g->n <= WALKED_WHOLE) {
    memset(seen, 0, g->n * sizeof *seen);
    by_closed_sets(g, kept, seen, reached);
  }
  for (uint32_t i = 0; i < g->n; i++) {
    uint8_t stands = state[i] == STANDS;
    if (g->n <= WALKED_WHOLE && kept[i] != stands) fail("it disagrees with itself");
    kept[i] = stands;
  }
  free(state), free(seen), free(reached);
}

/* n, m; n bytes (bit 0: supported, bit 1: has a dangling reference); m pairs (who, requires),
 * in order of who. */
static int one_list(void) {
  uint32_t head[2];
  if (fread(head, sizeof *head, 2, stdin) != 2) return 0;
  uint32_t n = head[0], m = head[1];
  struct graph g = {n, room(n, 1), room(n + 1, sizeof *g.first), room(m, sizeof *g.to)};
  uint8_t *kept = room(n, 1);
  uint32_t *pairs = room(2 * (size_t)m, sizeof *pairs);
  read_all(g.usable, 1, n);
  read_all(pairs, sizeof *pairs, 2 * (size_t)m);
  for (uint32_t i = 0; i < n; i++) g.usable[i] = g.usable[i] == 1;
  for (uint32_t e = 0; e < m; e++) {
    if (e > 0 && pairs[2 * e] < pairs[2 * e - 2]) fail("pairs out of order");
    g.first[pairs[2 * e] + 1]++;
    g.to[e] = pairs[2 * e + 1];
  }
  for (uint32_t i = 0; i < n; i++) g.first[i + 1] += g.first[i];
  retained(&g, kept);
  if (fwrite(kept, 1, n, stdout) != n) fail("cannot write");
  free(g.usable), free(g.first), free(g.to), free(kept), free(pairs);
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
