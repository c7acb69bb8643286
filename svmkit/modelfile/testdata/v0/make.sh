#!/bin/sh
# make.sh wrote the model files of this folder. They are golden files: the command and the library of
# commit ab6b790 wrote them, svm-train of LIBSVM 3.24 and liblinear-train of LIBLINEAR 2.3 wrote peer-*, and no later
# version may change what they predict. So this script is not meant to be run again: it says where the
# files come from. SVM names the command of that commit. make.go then wrote the *.json files.
set -e
svm=${SVM:?the command of commit ab6b790}
train() { "$svm" train -header yes "$@" >/dev/null; }

train -o two-linear.model two.csv
train -o two-linear-probability.model -probability two.csv
train -o two-rbf.model -kernel rbf two.csv
train -o two-rbf-probability.model -kernel rbf -gamma 0.7 -probability two.csv
train -o two-poly.model -kernel poly -gamma 0.5 -coef0 1 two.csv
train -o two-sigmoid.model -kernel sigmoid -gamma 0.05 two.csv || true # stationary: not within the tolerance
train -o two-laplacian.model -kernel laplacian two.csv
train -o two-logistic.model -loss logistic two.csv
train -o target-linear.model -loss eps-insensitive target.csv
train -o target-rbf.model -loss squared-eps-insensitive -kernel rbf target.csv
train -o three-ovr.model -multi ovr -bias penalized -probability three.csv
train -o three-ovo.model -multi ovo -kernel rbf three.csv
train -o three-ovo-probability.model -multi ovo -kernel rbf -probability three.csv
train -o three-cs.model -multi cs three.csv

# Pipelines.
"$svm" train -o table-survived.model -label survived -categorical class,sex,port -median age -mean fare -indicator age \
	-scale standardize -drop id -kernel rbf -probability table.csv >/dev/null
"$svm" train -o table-class.model -label class -categorical sex,port -median age,fare -drop id,survived \
	-multi ovo -scale minmax table.csv >/dev/null
"$svm" train -o table-class-cs.model -label class -categorical sex,port -median age,fare -drop id,survived \
	-multi cs table.csv >/dev/null
"$svm" train -o table-fare.model -label fare -loss eps-insensitive -categorical class,sex,port -median age -drop id,survived table.csv >/dev/null
"$svm" train -header yes -o text.model -label kind -text words -text-grams 1:2 text.csv >/dev/null

# In LIBSVM's and LIBLINEAR's formats, by this project and by theirs.
"$svm" train -libsvm two-rbf.libsvm -kernel rbf -probability two.svm >/dev/null
"$svm" train -libsvm target.libsvm -loss eps-insensitive -kernel poly -gamma 0.2 -coef0 1 target.svm >/dev/null
"$svm" train -libsvm three.libsvm -multi ovo -kernel rbf three.svm >/dev/null
"$svm" train -liblinear two.liblinear two.svm >/dev/null
"$svm" train -liblinear three.liblinear -multi ovr three.svm >/dev/null
"$svm" train -liblinear three-cs.liblinear -multi cs three.svm >/dev/null
svm-train -q -b 1 two.svm peer-two.libsvm
svm-train -q -t 0 two.svm peer-two-linear.libsvm
svm-train -q -b 1 three.svm peer-three.libsvm
svm-train -q -s 2 -n 0.2 three.svm peer-oneclass.libsvm
svm-train -q -s 3 target.svm peer-target.libsvm
liblinear-train -q -s 0 two.svm peer-two-logistic.liblinear
liblinear-train -q -s 2 -B 1 three.svm peer-three.liblinear
liblinear-train -q -s 4 three.svm peer-three-cs.liblinear
liblinear-train -q -s 11 target.svm peer-target.liblinear
