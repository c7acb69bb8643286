"""What scikit-learn reaches on the tasks of compare_test.go: one object of JSON, a list of numbers for each task."""
import csv, json, warnings
import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_svmlight_files
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, OneClassSVM

warnings.filterwarnings("ignore")
X, y, X_test, y_test = [a.toarray() if hasattr(a, "toarray") else a for a in load_svmlight_files(["train.libsvm", "test.libsvm"])]
sign = 2 * y - 1
rows = np.where(np.arange(len(y)) < 100, 5.0, 1.0)
GAMMA = 0.05


def norm2(m):  # ‖w‖² of an SVC, SVR or OneClassSVM
    if m.kernel == "linear":
        return np.sum(m.coef_**2)
    a = np.ravel(m.dual_coef_)
    return a @ rbf_kernel(m.support_vectors_, gamma=GAMMA) @ a


def hinge(m, cost):
    return norm2(m) / 2 + np.sum(cost * np.maximum(0, 1 - sign * m.decision_function(X)))


result = {}
m = SVC(kernel="linear", C=0.01, class_weight={1: 10}).fit(X, y)
result["class weights"] = [hinge(m, 0.01 * np.where(y > 0, 10, 1)), m.score(X_test, y_test)]
m = SVC(C=0.01, gamma=GAMMA).fit(X, y, sample_weight=rows)
result["row weights"] = [hinge(m, 0.01 * rows), m.score(X_test, y_test)]
m = OneClassSVM(nu=0.1, gamma=GAMMA, tol=1e-6).fit(X)
result["one class"] = [-norm2(m) / 2, np.mean(m.decision_function(X_test) < -1e-3)]
m = SVC(C=0.01, gamma=GAMMA, probability=True, random_state=1).fit(X, y)
result["probabilities"] = [log_loss(y_test, m.predict_proba(X_test)), m.score(X_test, y_test)]
m = SVR(C=10, gamma=GAMMA, epsilon=0.2).fit(X[:, :3], X[:, 3])
miss = np.maximum(0, np.abs(m.predict(X[:, :3]) - X[:, 3]) - 0.2)
result["regression"] = [norm2(m) / 2 + 10 * np.sum(miss), np.mean((m.predict(X_test[:, :3]) - X_test[:, 3])**2)]
m = LinearSVC(C=1, max_iter=100000).fit(X, y)
miss = np.maximum(0, 1 - sign * m.decision_function(X))
result["linear"] = [(np.sum(m.coef_**2) + m.intercept_[0]**2) / 2 + np.sum(miss**2), m.score(X_test, y_test)]

digits = np.loadtxt("data/digits.csv.gz", delimiter=",")
D, d, test = digits[:, :-1], digits[:, -1], np.arange(len(digits)) % 4 == 3
result["one-vs-one"] = [SVC(gamma=0.001).fit(D[~test], d[~test]).score(D[test], d[test])]
result["one-vs-rest"] = [OneVsRestClassifier(SVC(gamma=0.001)).fit(D[~test], d[~test]).score(D[test], d[test])]


def read(name):
    return list(csv.DictReader(open(name, encoding="utf-8")))


train, test = read("messages_train.csv"), read("messages_test.csv")
words = TfidfVectorizer(token_pattern=r"[^\W_]+(?:['‘’][^\W_]+)*").fit([r["message"] for r in train])
T, t = words.transform([r["message"] for r in train]), np.array([r["kind"] == "spam" for r in train])
m = LinearSVC(loss="hinge", max_iter=100000).fit(T, t)
miss = np.maximum(0, 1 - (2 * t - 1) * m.decision_function(T))
result["text"] = [(np.sum(m.coef_**2) + m.intercept_[0]**2) / 2 + np.sum(miss),
                  m.score(words.transform([r["message"] for r in test]), [r["kind"] == "spam" for r in test])]

numbers = ["bill_length", "bill_depth", "flipper_length", "body_mass"]


def birds(name):
    return [[r["island"], r["sex"]] + [float(r[c] or "nan") for c in numbers] for r in read(name)], [r["species"] for r in read(name)]


columns = ColumnTransformer([("c", OneHotEncoder(handle_unknown="ignore", sparse_output=False), [0, 1]),
                             ("n", SimpleImputer(strategy="median"), [2, 3, 4, 5])])
B, b = birds("penguins_train.csv")
pipe = make_pipeline(columns, StandardScaler(), SVC(C=0.05, gamma=0.1)).fit(B, b)
result["table"] = [pipe.score(*birds("penguins_test.csv"))]
print(json.dumps(result))
