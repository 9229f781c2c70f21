"""The collector: a ``SchedulerPlugin`` that keeps what panes show, in typed columns.

The modules of this package depend on the standard library and on distributed only and import each other
relatively: :mod:`dask_panes.scheduler.ship` sends their source text to schedulers that lack this package.
"""
