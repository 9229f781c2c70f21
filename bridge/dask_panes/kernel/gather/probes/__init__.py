"""Probes: each module is sent to servers as source text (`dask_panes.kernel.gather.probe`) and imports nothing of this
package.
"""
