// Stands before LIBLINEAR's library in liblinear-train; see svm-train.c. Without -B no
// constant feature is added to the rows.
#include <stdio.h>
#include <stdlib.h>
#include <linear.h>

const char *check_parameter(const struct problem *prob, const struct parameter *param)
{
	(void)param;
	printf("has read\n");
	for (int i = 0; i < prob->l; i++) {
		printf("%a", prob->y[i]);
		for (const struct feature_node *x = prob->x[i]; x->index != -1; x++)
			printf(" %d %a", x->index, x->value);
		printf("\n");
	}
	exit(0);
}
