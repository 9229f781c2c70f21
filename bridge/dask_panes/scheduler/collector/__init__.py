"""The collector: a ``SchedulerPlugin`` that keeps the data of panes in typed columns.

The modules of this package depend only on the standard library and distributed, and import each other relatively:
:mod:`dask_panes.scheduler.ship` sends their source text to schedulers that lack this package.
"""
