import json
import numpy as np
import sklearn


def save_for_go(model, name):
    """Write a model of the kinds below, alone or in a Pipeline behind a StandardScaler."""
    kinds = ["SVC", "NuSVC", "LinearSVC", "SVR", "NuSVR", "LinearSVR", "OneClassSVM"]
    *before, m = [step for _, step in model.steps] if hasattr(model, "steps") else [model]
    if type(m).__name__ not in kinds or callable(getattr(m, "kernel", None)):
        raise ValueError(f"{m} is none of {', '.join(kinds)} with a named kernel; of a search, write its best_estimator_")
    if [type(s).__name__ for s in before] not in ([], ["StandardScaler"]) or getattr(m, "break_ties", False):
        raise ValueError("only a StandardScaler may stand before the model, and break_ties must be False")
    d = model.n_features_in_
    j = {"format": "svmkit scikit-learn 1", "version": sklearn.__version__, "kind": type(m).__name__,
         "features": [str(f) for f in getattr(model, "feature_names_in_", [f"x{i}" for i in range(d)])]}
    if before and before[0].with_mean:
        j["mean"] = before[0].mean_
    if before and before[0].with_std:
        j["scale"] = before[0].scale_
    if hasattr(m, "classes_") and m.classes_ is not None and j["kind"].endswith("SVC"):
        j["classes"] = [str(c) for c in m.classes_]
    if hasattr(m, "coef_"):
        j["coef"] = m.coef_.reshape(-1, d)
        j["intercept"] = np.broadcast_to(m.intercept_, j["coef"].shape[0])
    else:
        j.update(kernel=m.kernel, gamma=m._gamma, coef0=m.coef0, degree=m.degree, intercept=m.intercept_,
                 support_vectors=m.support_vectors_, dual_coef=m.dual_coef_, n_support=m.n_support_)
    if getattr(m, "probability", False):
        j.update(probA=m.probA_, probB=m.probB_)
    with open(name, "w") as f:
        json.dump(j, f, default=lambda a: (a.toarray() if hasattr(a, "toarray") else a).tolist())
