# The hub of the test: on loopback, one password for all students, their servers as processes.
import os

env = os.environ
folder = env["CLASS_FOLDER"]
c = get_config()  # noqa: F821
c.JupyterHub.bind_url = env["CLASS_URL"]
c.JupyterHub.hub_bind_url = env["CLASS_HUB"]
c.JupyterHub.db_url = "sqlite:///" + folder + "/hub.sqlite"
c.JupyterHub.cookie_secret_file = folder + "/cookie_secret"
# The proxy and the students' servers outlive the hub.
c.JupyterHub.cleanup_servers = False
c.JupyterHub.cleanup_proxy = False
c.ConfigurableHTTPProxy.should_start = False
c.ConfigurableHTTPProxy.api_url = env["CLASS_PROXY"]
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = env["CLASS_PASSWORD"]
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = folder + "/home/{username}"
c.Spawner.cmd = [env["CLASS_START"], "jupyterhub-singleuser"]
c.Spawner.args = ["--allow-root"] if os.getuid() == 0 else []
c.Spawner.start_timeout = 600
c.Spawner.http_timeout = 600
c.Spawner.environment = {
    name: env[name]
    for name in ("COURSE", "GOCACHE", "GOMODCACHE", "GOPLSCACHE", "JUPYTER_PATH", "CLASS_FOLDER", "TMPDIR")
}
# The student who loops for ever need not wait for the limit of the others.
c.Spawner.environment["CELL_CPU_SECONDS"] = lambda spawner: "5" if spawner.user.name == "loops" else "300"
