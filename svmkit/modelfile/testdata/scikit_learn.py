"""Trains models of scikit-learn and writes each with its own predictions: scikit_learn.py FOLDER [NAME...]"""
import json, os, sys, warnings
import numpy as np
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC, NuSVR, OneClassSVM

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from save_for_go import save_for_go

warnings.filterwarnings("ignore")  # "failed to converge": any model will do
rng = np.random.RandomState(1)
X = rng.randn(30, 3) * [1, 10, 0.1] + [0, 5, 1]
three = (np.arange(30) % 3).astype(int)
X[:, 0] += three
two = np.where(three > 0, "spam", "ham")
target = np.sin(X[:, 0]) + 0.1 * X[:, 1]
named = np.array(["length", "links", "capitals"], dtype=object)

models = {
    "svc-two": (SVC(gamma=0.1, probability=True, random_state=1), X, two),
    "svc-two-scaled": (make_pipeline(StandardScaler(), SVC(class_weight="balanced")), X, two),
    "svc-three": (make_pipeline(StandardScaler(), SVC(C=3, decision_function_shape="ovo")), X, three * 10),
    "svc-three-linear": (make_pipeline(StandardScaler(), SVC(kernel="linear", probability=True, random_state=1, decision_function_shape="ovo")), X, three),
    "svc-poly": (make_pipeline(StandardScaler(with_std=False), SVC(kernel="poly", degree=2, coef0=1, gamma=0.1, decision_function_shape="ovo")), X, three),
    "svc-sigmoid": (make_pipeline(StandardScaler(with_mean=False), SVC(kernel="sigmoid", gamma=0.05, coef0=-0.5)), X, two),
    "svc-sparse": (SVC(kernel="rbf"), sp.csr_matrix(X * (X > 0)), two),
    "svc-linear-sparse": (SVC(kernel="linear", decision_function_shape="ovo"), sp.csr_matrix(X * (X > 0)), three),
    "linear-svc-two": (LinearSVC(fit_intercept=False), X, two),
    "linear-svc-three": (make_pipeline(StandardScaler(), LinearSVC()), X, three),
    "linear-svc-cs": (LinearSVC(multi_class="crammer_singer"), X, three),
    "linear-svc-three-origin": (LinearSVC(fit_intercept=False), X, three),
    "nu-svc-two": (NuSVC(nu=0.3, gamma=0.1, probability=True, random_state=1), X, two),
    "nu-svc-three": (make_pipeline(StandardScaler(), NuSVC(nu=0.3, decision_function_shape="ovo")), X, three * 10),
    "nu-svr": (make_pipeline(StandardScaler(), NuSVR(nu=0.4, C=10)), X, target),
    "linear-svr": (make_pipeline(StandardScaler(), LinearSVR(epsilon=0.1)), X, target),
    "svr": (make_pipeline(StandardScaler(), SVR(C=10, epsilon=0.05)), X, target),
    "svr-linear": (SVR(kernel="linear"), X, target),
    "one-class": (make_pipeline(StandardScaler(), OneClassSVM(nu=0.2)), X, None),
    "one-class-linear": (OneClassSVM(nu=0.2, kernel="linear"), np.abs(X) + 1, None),
}

folder, *names = sys.argv[1:]
for name in names or models:
    m, rows, y = models[name]
    m.fit(rows, y)
    save_for_go(m, os.path.join(folder, name + ".json"))
    dense = rows.toarray() if sp.issparse(rows) else rows
    test = np.vstack([dense[:6], rng.randn(4, 3)])
    given = sp.csr_matrix(test) if sp.issparse(rows) else test
    j = {"rows": test.tolist(), "labels": [str(v) for v in m.predict(given)]}
    scores = m.decision_function(given) if hasattr(m, "decision_function") else m.predict(given)
    j["scores"] = scores.reshape(len(test), -1).tolist()
    if getattr(m, "probability", False):
        j["probabilities"] = m.predict_proba(given).tolist()
    with open(os.path.join(folder, name + ".predicted.json"), "w") as f:
        json.dump(j, f)
