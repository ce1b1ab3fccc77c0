#include <stdio.h>
#include <string.h>

#define LIMIT 40
#define ADD(total, n) \
    do {              \
        total += n;   \
    } while (0)

/* What is in the basket. */
struct basket {
    char names[LIMIT][16];
    int counts[LIMIT];
    int length;
};

static int find(const struct basket *basket, const char *name)
{
    int i;
    for (i = 0; i < basket->length; i++) {
        if (strcmp(basket->names[i], name) == 0)
            return i;
    }
    return -1;
}

#ifdef COUNTED
/* Counts all things. */
int total(const struct basket *basket)
{
    int total = 0;
    int i;
    for (i = 0; i < basket->length; i++) {
        total += basket->counts[i];
    }
    return total;
}
#else
int total(const struct basket *basket)
{
    (void)basket;
    return 0;
}
#endif
