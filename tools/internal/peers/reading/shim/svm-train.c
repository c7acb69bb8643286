// Stands before LIBSVM's library in svm-train. The program reads its file with its own
// read_problem and then asks the library to check the parameters: here it is told instead
// what it has read.
#include <stdio.h>
#include <stdlib.h>
#include <libsvm/svm.h>

const char *svm_check_parameter(const struct svm_problem *prob, const struct svm_parameter *param)
{
	(void)param;
	printf("has read\n");
	for (int i = 0; i < prob->l; i++) {
		printf("%a", prob->y[i]);
		for (const struct svm_node *x = prob->x[i]; x->index != -1; x++)
			printf(" %d %a", x->index, x->value);
		printf("\n");
	}
	exit(0);
}
