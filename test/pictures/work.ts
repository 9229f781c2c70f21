/** Work that gives every plot something to show, written as people write it. */

export const CLUSTER = `
from dask.distributed import Client

client = Client(n_workers=4, threads_per_worker=2, memory_limit="768 MiB", dashboard_address=None)`;

/** Something to compare the work with. */
export const EARLIER = `
import dask.array as da

da.random.random((4000, 4000), chunks=(500, 4000)).std().compute()`;

/** What the work consists of. */
const FUNCTIONS = `
import time

import dask.array as da
import numpy as np
from dask.distributed import wait
from distributed.diagnostics import MemorySampler

sampler = MemorySampler()
first = sorted(client.scheduler_info()["workers"])[0]


def load(i):
    time.sleep(0.05)  # stands for reading a file
    return np.arange(1_500_000, dtype=float) + i


def clean(block):
    return np.sqrt(np.abs(block))


def parse(line):
    if line % 7 == 0:
        raise ValueError(f"line {line} has no header")
    return 100 / (line % 5)


def fit(block, seed):
    end = time.time() + 0.1 + seed % 3 / 10
    while time.time() < end:
        sum(x * x for x in range(5_000))
    return seed


def layer(seconds):
    time.sleep(seconds)  # stands for a part of a model


def forward():
    layer(0.6)


def backward():
    layer(0.4)


def train(seed, epochs=1_000):
    for _ in range(epochs):
        forward()
        backward()`;

const RECHUNK = `
x = da.random.random((5000, 5000), chunks=(500, 5000))
y = x.rechunk((5000, 500), method="p2p")
with sampler.sample("rechunk"):
    turned = (y + 1).mean(axis=1).persist()
    wait(turned)`;

const LOAD_AND_FIT = `
blocks = client.map(load, range(160))
cleaned = client.map(clean, blocks)
with sampler.sample("load and fit"):
    fitted = client.map(fit, cleaned, range(160))
    wait(fitted)`;

/** Most of it is stolen from the worker that it is for. */
const STOLEN = `
scored = client.map(fit, cleaned, range(160), workers=[first], allow_other_workers=True, pure=False)
wait(scored)`;

const ERRORS = `
parsed = client.map(parse, range(60))
wait(parsed)
client.log_event("my-experiment", "epoch 1 of 3 has ended")`;

/** Runs as long as pictures are taken. */
const RUNNING = `
trained = client.map(train, range(40))
time.sleep(3)`;

/** Cells: errors, arrays, a shuffle, spilled results, steals, runs of the sampler; and what still runs at the end. */
export const WORK = [FUNCTIONS, ERRORS, RECHUNK, LOAD_AND_FIT, STOLEN, RUNNING];

export const LOCAL = `
import time

import dask
import dask_panes
from dask.diagnostics import CacheProfiler, Profiler, ResourceProfiler


@dask.delayed
def load(i):
    time.sleep(0.05)
    return bytes(1_000_000)


@dask.delayed
def count(block):
    return sum(block[i] for i in range(0, len(block), 4))


total = dask.delayed(sum)([count(load(i)) for i in range(60)])
with Profiler() as tasks, ResourceProfiler(dt=0.1) as resources, CacheProfiler() as cache:
    total.compute(scheduler="threads", num_workers=4)`;
