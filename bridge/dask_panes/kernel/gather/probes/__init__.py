"""Probes: each module is sent to servers as source text (`dask_panes.kernel.probe`) and imports nothing of this
package.
"""
