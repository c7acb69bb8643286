"""scikit-learn as an engine: the child's side of exchange.go. Only fit is timed."""
import json, os, sys, time, warnings
import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR

warnings.filterwarnings("ignore")  # "failed to converge": the gap says so


def load(file):
    with open(file, "rb") as f:
        h = json.loads(f.readline())
        n, nnz = h["n"], h["nnz"]
        y = np.fromfile(f, "<f8", n)
        pointers = np.fromfile(f, "<i8", n + 1)
        if h["dense"]:
            return np.fromfile(f, "<f8", nnz).reshape(n, h["dim"]), y
        index = np.fromfile(f, "<i4", nnz)
        x = sp.csr_matrix((np.fromfile(f, "<f8", nnz), index, pointers.astype(np.int32)), (n, h["dim"]))
    if nnz > 0.5 * n * h["dim"]:
        return x.toarray(), y  # what its users would pass
    return x, y


def with_constant(x):
    one = np.ones((x.shape[0], 1))
    return sp.hstack([x, one]).tocsr() if sp.issparse(x) else np.hstack([x, one])


def status(field):
    try:
        with open("/proc/self/status") as f:
            return next(float(line.split()[1]) / 1024 for line in f if line.startswith(field))
    except (OSError, StopIteration):
        return 0.0


def machine(q, n):
    t, solver, knob = q["task"], q["solver"], q["knob"]
    c, eps, gamma = t["c"], t["epsilon"], t["gamma"]
    if solver == "SVC":
        return SVC(C=c, gamma=gamma, tol=knob, cache_size=1000)
    if solver == "SVR":
        return SVR(C=c, gamma=gamma, epsilon=eps, tol=knob, cache_size=1000)
    if solver in ("LinearSVC dual", "LinearSVC primal"):
        return LinearSVC(C=c, loss=t["loss"].replace(" ", "_"), dual=solver.endswith("dual"), tol=knob,
                         max_iter=100000, fit_intercept=not t["free"], random_state=1)
    if solver in ("LinearSVR dual", "LinearSVR primal"):
        kind = {"tube": "epsilon_insensitive", "squared tube": "squared_epsilon_insensitive"}[t["loss"]]
        return LinearSVR(C=c, loss=kind, epsilon=eps, dual=solver.endswith("dual"), tol=knob, max_iter=100000, random_state=1)
    if solver == "SGDClassifier":  # λ/2‖w‖² + mean loss; the knob is the number of epochs
        return SGDClassifier(loss=t["loss"].replace(" ", "_"), alpha=1 / (c * n), fit_intercept=t["free"], tol=None,
                             max_iter=int(knob), average=True, random_state=1)
    raise ValueError("no solver " + solver)


def train(q, x, augmented, y):
    sgd_constant = q["solver"] == "SGDClassifier" and not q["task"]["free"]
    rows = augmented if sgd_constant else x
    m = machine(q, len(y))
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass
    base, cpu, start = status("VmRSS:"), time.process_time(), time.perf_counter()
    m.fit(rows, y)
    r = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu, "base": base, "peak": status("VmHWM:")}
    beta, w, b = np.empty(0), np.empty(0), 0.0
    if q["solver"] in ("SVC", "SVR"):
        beta = np.zeros(len(y))
        dual = m.dual_coef_
        beta[m.support_] = (dual.toarray() if sp.issparse(dual) else np.asarray(dual)).ravel()
        b = float(m.intercept_[0])
    else:
        w, b = np.ravel(m.coef_), float(np.ravel(m.intercept_)[0])
        if sgd_constant:
            w, b = w[:-1], float(w[-1])
    return r, beta, w, b


def main():
    out = sys.stdout.buffer
    x = y = augmented = None
    for line in sys.stdin.buffer:
        q = json.loads(line)
        r, beta, w, b = {}, np.empty(0), np.empty(0), 0.0
        try:
            if q["op"] == "load":
                x = y = augmented = None
                x, y = load(q["file"])
            elif q["op"] == "train":
                if q["solver"] == "SGDClassifier" and augmented is None:
                    augmented = with_constant(x)
                r, beta, w, b = train(q, x, augmented, y)
            else:
                raise ValueError("not offered by this engine")
        except Exception as e:  # whatever scikit-learn finds: the parent reports it
            r = {"error": str(e)}
        r.update(version=sklearn.__version__, beta=len(beta), w=len(w))
        out.write((json.dumps(r) + "\n").encode())
        out.write(np.concatenate([beta, w, [b]]).astype("<f8").tobytes())
        out.flush()


if len(sys.argv) > 1 and sys.argv[1] == "version":
    print(sklearn.__version__)
else:
    main()
