"""Does jobs with scikit-learn: one object of JSON a line on the standard input, one a line on the standard output."""
import csv, importlib.util, json, sys, warnings
import numpy as np
import scipy.sparse as sp
from sklearn.compose import ColumnTransformer
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC, NuSVR, OneClassSVM

warnings.filterwarnings("ignore")
spec = importlib.util.spec_from_file_location("save_for_go", sys.argv[1])
save_for_go = importlib.util.module_from_spec(spec)
spec.loader.exec_module(save_for_go)
KINDS = {k.__name__: k for k in [SVC, SVR, LinearSVC, LinearSVR, NuSVC, NuSVR, OneClassSVM]}


def numbers(fields):  # numbers if all fields are, as pandas.read_csv returns them
    try:
        return np.array([float(f) if f.strip() else np.nan for f in fields])
    except ValueError:
        return np.array(fields, dtype=object)


def labels(names):  # a number that is whole has no point
    y = numbers(names)
    return y if y.dtype == object else np.array([int(v) if v == int(v) else v for v in y])


def predicted(m, rows):
    """What the model m says about rows; of SVC the scores of all pairs of classes."""
    last = m.steps[-1][1] if hasattr(m, "steps") else m
    answer = {"predicted": [str(v) for v in m.predict(rows)]}
    scores = m.decision_function(rows) if hasattr(m, "decision_function") else m.predict(rows)
    answer["scores"] = np.asarray(scores, dtype=float).reshape(len(answer["predicted"]), -1).tolist()
    if getattr(last, "classes_", None) is not None and type(last).__name__.endswith("SVC"):
        answer["classes"] = [str(c) for c in last.classes_]
    if getattr(last, "probability", False):
        answer["probabilities"] = m.predict_proba(rows).tolist()
    if hasattr(last, "n_iter_"):
        answer["capped"] = bool(np.max(last.n_iter_) >= getattr(last, "max_iter", -1) > 0)
    return answer


def fit(job):
    m = KINDS[job["kind"]](**job["params"])
    if job.get("class_weight"):
        m.set_params(class_weight={labels([k])[0]: v for k, v in job["class_weight"].items()})
    x, y = np.array(job["x"]), labels(job["names"]) if job.get("names") else job.get("y")
    if job.get("sparse"):
        x = sp.csr_matrix(x)
    weight = {} if not job.get("weight") else {type(m).__name__.lower() + "__sample_weight": job["weight"]}
    m = make_pipeline(StandardScaler(), m) if job.get("scale") else make_pipeline(m)
    m.fit(x, y, **weight)
    if len(m.steps) == 1:
        m = m.steps[0][1]
    save_for_go.save_for_go(m, job["save"])
    test = np.array(job["test"])
    return predicted(m, sp.csr_matrix(test) if job.get("sparse") else test)


def table(job):
    """Trains on a CSV file with columns that need steps; the columns are numbers from 0, the label is the last one."""
    def read(name):
        with open(name, encoding="utf-8", newline="") as f:
            lines = list(csv.reader(f))[1 if job["header"] else 0:]
        columns = [numbers(c) for c in zip(*lines)]
        return np.array([list(r) for r in zip(*columns)], dtype=object), labels([r[-1] for r in lines])

    x, y = read(job["train"])
    steps = [("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), job["categories"] or []),
             ("median", SimpleImputer(strategy="median"), job["median"] or []),
             ("mean", SimpleImputer(strategy="mean"), job["mean"] or [])]
    m = KINDS[job["kind"]](**job["params"])
    scaler = [StandardScaler()] if job.get("scale") else []
    weight = {}
    if job.get("weights") is not None:
        weight = {type(s).__name__.lower() + "__sample_weight": x[:, job["weights"]].astype(float) for s in scaler + [m]}
    m = make_pipeline(ColumnTransformer([s for s in steps if s[2]]), *scaler, m).fit(x, y, **weight)
    return predicted(m, read(job["test"])[0])


def dump(job):
    x = np.array(job["x"])
    dump_svmlight_file(sp.csr_matrix(x) if job["sparse"] else x, job["y"], job["save"], zero_based=job["zero_based"],
                       comment=job.get("comment"))
    return {}


def load(job):
    x, y = load_svmlight_file(job["train"], n_features=job["columns"], zero_based=job["zero_based"])
    return {"scores": x.toarray().tolist(), "predicted": [repr(float(v)) for v in y]}


for line in sys.stdin:
    job = json.loads(line)
    try:
        answer = {"fit": fit, "table": table, "dump": dump, "load": load}[job["do"]](job)
    except Exception as e:
        answer = {"error": f"{type(e).__name__}: {e}"}
    print(json.dumps(answer), flush=True)
